#include "registry/registry.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "registry/offloaded.hpp"

namespace sextant {
namespace {

bool offloaded_when_used = false;

std::deque<RegisteredKernel>& storage() {
  static std::deque<RegisteredKernel> all = [] {
    std::deque<RegisteredKernel> list;
    for (const KernelFolder& folder : detail::folders())
      for (RegisteredKernel& kernel : registered(folder)) list.push_back(std::move(kernel));
    return list;
  }();
  return all;
}

std::vector<LeftOut>& left_out_storage() {
  static std::vector<LeftOut> all = detail::left_out_of_build();
  return all;
}

// Returns true if the variant's library is not open yet. Only the variant's name and model are then known.
bool is_named_alone(const Variant& variant) {
  return is_offloaded(variant.model) && !variant.launch.float32 && !variant.launch.float64 &&
         !variant.launch.int32;
}

// Removes the variant's code for element types that the kernel does not support. All kernels of a folder
// share its variants, but they may differ in their types.
Variant for_types_of(const Kernel& kernel, Variant variant) {
  if (!kernel.has(ElementType::float32)) variant.launch.float32 = nullptr;
  if (!kernel.has(ElementType::float64)) variant.launch.float64 = nullptr;
  if (!kernel.has(ElementType::int32)) variant.launch.int32 = nullptr;
  return variant;
}

// Returns the variants of the source file from the folder's library. If the library cannot be opened, records
// its variants as left out.
std::vector<Variant> variants_from_library(const std::string& folder, const VariantFile& file) {
  try {
    return offloaded_variants(folder, file);
  } catch (const UserError& error) {
    for (const char* name : file.names)
      add_left_out({folder, std::string(name_of(file.model)) + "." + name, error.what(), file.path});
    return {};
  }
}

std::vector<Variant> variants_of(const std::string& folder, const VariantFile& file) {
  if (file.make) return file.make();
  if (!offloaded_when_used) return variants_from_library(folder, file);
  std::vector<Variant> named_alone;
  for (const char* name : file.names) named_alone.push_back({.name = name});
  return named_alone;
}

// Sorts the variants of each model by name. The order of the models does not change.
void sort_within_models(std::vector<Variant>* variants) {
  for (auto begin = variants->begin(); begin != variants->end();) {
    const auto end =
        std::find_if(begin, variants->end(), [&](const Variant& v) { return v.model != begin->model; });
    std::sort(begin, end, [](const Variant& a, const Variant& b) { return a.name < b.name; });
    begin = end;
  }
}

// Returns the registry's mutable entry for `kernel`.
RegisteredKernel& own_entry(const RegisteredKernel& kernel) {
  return *std::find_if(storage().begin(), storage().end(),
                       [&](const RegisteredKernel& entry) { return &entry == &kernel; });
}

}  // namespace

void open_offloaded_when_used() { offloaded_when_used = true; }

std::vector<RegisteredKernel> registered(const KernelFolder& folder) {
  std::vector<Variant> variants;
  std::map<std::string, std::string> files;
  for (const VariantFile& file : folder.files)
    for (Variant& variant : variants_of(folder.name, file)) {
      variant.name = std::string(name_of(file.model)) + "." + variant.name;
      variant.model = file.model;
      files.emplace(variant.name, file.path);
      variants.push_back(std::move(variant));
    }
  sort_within_models(&variants);
  std::vector<RegisteredKernel> kernels;
  for (Kernel& kernel : folder.kernels()) {
    std::vector<Variant> own;
    for (const Variant& variant : variants) own.push_back(for_types_of(kernel, variant));
    RegisteredKernel entry{std::move(kernel), std::move(own), folder.name, folder.suite};
    entry.files = files;
    kernels.push_back(std::move(entry));
  }
  return kernels;
}

const std::vector<LeftOut>& left_out() {
  storage();  // also records variants whose library cannot be opened
  return left_out_storage();
}

void add_left_out(LeftOut left_out) { left_out_storage().push_back(std::move(left_out)); }

const std::deque<RegisteredKernel>& registry() { return storage(); }

void add_to_registry(RegisteredKernel kernel) { storage().push_back(std::move(kernel)); }

const RegisteredKernel* find_kernel(std::string_view name) {
  for (const RegisteredKernel& entry : registry())
    if (entry.kernel.name == name) return &entry;
  return nullptr;
}

bool opens_a_library(const RegisteredKernel& kernel, std::string_view name) {
  return offloaded_when_used &&
         std::any_of(kernel.variants.begin(), kernel.variants.end(),
                     [&](const Variant& variant) { return variant.name == name && is_named_alone(variant); });
}

std::string source_path(const RegisteredKernel& kernel, const std::string& file) {
  const std::string& folder = kernel.folder;
  // A loaded kernel's `folder` has the form `library:folder`.
  const bool loaded = !kernel.loaded_from.empty();
  const std::string name = loaded ? folder.substr(folder.rfind(':') + 1) : folder;
  return (loaded || kernel.suite.empty() ? "" : kernel.suite + "/") + name + "/" + file;
}

std::string source_path_of_variant(const RegisteredKernel& kernel, const std::string& variant) {
  const auto found = kernel.files.find(variant);
  if (found != kernel.files.end() && !found->second.empty()) return source_path(kernel, found->second);
  return kernel.loaded_from.substr(kernel.loaded_from.rfind('/') + 1);
}

const Variant* find_variant(const RegisteredKernel& kernel, std::string_view name) {
  const auto found = std::find_if(kernel.variants.begin(), kernel.variants.end(),
                                  [&](const Variant& variant) { return variant.name == name; });
  if (found == kernel.variants.end()) return nullptr;
  if (offloaded_when_used && is_named_alone(*found)) {
    const std::string model = std::string(name_of(found->model)) + ".";
    const std::string& file = kernel.files.at(found->name);
    for (Variant& variant : offloaded_variants(kernel.folder, {file.c_str(), found->model, nullptr, {}})) {
      if (model + variant.name != found->name) continue;
      variant.name = found->name;
      variant.model = found->model;
      own_entry(kernel).variants[static_cast<std::size_t>(found - kernel.variants.begin())] =
          for_types_of(kernel.kernel, std::move(variant));
      break;
    }
  }
  return &*found;
}

}  // namespace sextant
