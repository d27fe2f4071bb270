#include "registry/offloaded.hpp"

#include <algorithm>
#include <map>

#include "base/dynamic_library.hpp"
#include "base/error.hpp"

namespace sextant {
namespace {

// Returns the mangled name (Itanium C++ ABI) of `std::vector<Variant> sextant::<folder>_<model>()`, which a
// variant's source file defines. For a file <model>.<name>.cpp the function is <folder>_<model>_<name>.
std::string symbol_of(const std::string& folder, const std::string& path) {
  std::string function = folder + "_" + path.substr(0, path.rfind('.'));
  std::replace(function.begin(), function.end(), '.', '_');
  return "_ZN7sextant" + std::to_string(function.size()) + function + "Ev";
}

DynamicLibrary& library(const std::string& name) {
  static std::map<std::string, DynamicLibrary> open;
  return open.try_emplace(name, std::vector<std::string>{name}).first->second;
}

}  // namespace

std::vector<Variant> offloaded_variants(const std::string& folder, const VariantFile& file) {
  DynamicLibrary& opened = library(std::string("libsextant_") + name_of(file.model) + "_" + folder + ".so");
  std::vector<Variant> (*make)() = nullptr;
  if (!opened.find(symbol_of(folder, file.path).c_str(), &make))
    throw UserError(std::string(file.path) + " of " + folder + ": " + opened.problem +
                        ". Build or install Sextant again, so that the program and its libraries match.",
                    ExitCode::missing);
  return make();
}

}  // namespace sextant
