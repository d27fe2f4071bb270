#include "registry/offloaded.hpp"

#include <algorithm>
#include <map>

#include "base/dynamic_library.hpp"
#include "base/error.hpp"

namespace sextant {
namespace {

// How linkers know `Variant sextant::<folder>_<model>_<name>()`, by the Itanium C++ ABI.
std::string symbol_of(const std::string& folder, const std::string& variant) {
  std::string function = folder + "_" + variant;
  std::replace(function.begin(), function.end(), '.', '_');
  return "_ZN7sextant" + std::to_string(function.size()) + function + "Ev";
}

DynamicLibrary& library(const std::string& name) {
  static std::map<std::string, DynamicLibrary> open;
  return open.try_emplace(name, std::vector<std::string>{name}).first->second;
}

}  // namespace

Variant offloaded_variant(const std::string& folder, const VariantEntry& entry) {
  const std::string file = std::string("libsextant_") + name_of(entry.model) + "_" + folder + ".so";
  DynamicLibrary& opened = library(file);
  Variant (*make)() = nullptr;
  if (!opened.find(symbol_of(folder, entry.name).c_str(), &make))
    throw UserError(std::string(entry.name) + " of " + folder + ": " + opened.problem +
                        ". Build or install Sextant again: the program and its libraries go together.",
                    ExitCode::missing);
  Variant variant = make();
  variant.name = entry.name;
  variant.model = entry.model;
  return variant;
}

}  // namespace sextant
