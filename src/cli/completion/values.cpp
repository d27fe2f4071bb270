#include <filesystem>
#include <set>

#include "cli/completion/scripts.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// Returns the names of the processor and of the GPUs that have device files. It calls no driver, because that
// may take a second.
std::vector<std::string> device_names() {
  std::vector<std::string> names = {"cpu"};
  std::error_code error;
  while (std::filesystem::exists("/dev/nvidia" + std::to_string(names.size() - 1), error))
    names.push_back("gpu" + std::to_string(names.size() - 1));
  return names;
}

}  // namespace

const std::vector<std::string>& asked_kinds() {
  static const std::vector<std::string> kinds = {"kernels", "variants", "classes", "devices", "suites"};
  return kinds;
}

std::vector<std::string> values_of_kind(const std::string& kind) {
  if (kind == "devices") return device_names();
  if (kind == "suites") return {"study", "kernels", "programs", "npb", "patterns", "own", "all"};
  open_offloaded_when_used();
  std::set<std::string> names;
  for (const RegisteredKernel& entry : registry()) {
    if (kind == "kernels") names.insert(entry.kernel.name);
    if (kind == "classes")
      for (const NamedProblem& one : entry.kernel.classes) names.insert(one.name);
    if (kind == "variants")
      for (const Variant& variant : entry.variants) {
        names.insert(name_of(variant.model));
        names.insert(variant.name);
      }
  }
  return {names.begin(), names.end()};
}

}  // namespace sextant
