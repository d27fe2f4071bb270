// A kernel library for own_cheats_test. Its variants skip work in timed calls.
#include "faults/cheats.hpp"
#include "suite/plugin.hpp"

namespace sextant {
namespace {

std::vector<KernelFolder> folders() {
  static const std::vector<Variant> variants = serial_cheats();
  VariantFile file{"serial.cpp", Model::serial, serial_cheats, {}};
  for (const Variant& variant : variants) file.names.push_back(variant.name.c_str());
  return {{"costly", [] { return std::vector<Kernel>{costly_kernel()}; }, {file}}};
}

constexpr Plugin header() {
  Plugin plugin = plugin_header();
  plugin.compiler = "by hand";
  plugin.flags = "-O1";
  plugin.version = "0";
  plugin.folders = folders;
  return plugin;
}

}  // namespace
}  // namespace sextant

extern "C" {
__attribute__((visibility("default"))) extern const sextant::Plugin sextant_kernels;
constinit const sextant::Plugin sextant_kernels = sextant::header();
}
