#include "registry/registry.hpp"

#include <utility>

namespace sextant {
namespace {

std::deque<RegisteredKernel>& storage() {
  static std::deque<RegisteredKernel> all = [] {
    std::deque<RegisteredKernel> list;
    for (const detail::Folder& folder : detail::folders()) {
      std::vector<Variant> variants;
      for (const detail::Entry& entry : folder.variants) {
        Variant variant = entry.make();
        variant.name = entry.name;
        variant.model = entry.model;
        variants.push_back(std::move(variant));
      }
      for (Kernel& kernel : folder.kernels()) list.push_back({std::move(kernel), variants, folder.name});
    }
    return list;
  }();
  return all;
}

}  // namespace

const std::deque<RegisteredKernel>& registry() { return storage(); }

void add_to_registry(RegisteredKernel kernel) { storage().push_back(std::move(kernel)); }

const RegisteredKernel* find_kernel(std::string_view name) {
  for (const RegisteredKernel& entry : registry())
    if (entry.kernel.name == name) return &entry;
  return nullptr;
}

const Variant* find_variant(const RegisteredKernel& kernel, std::string_view name) {
  for (const Variant& variant : kernel.variants)
    if (variant.name == name) return &variant;
  return nullptr;
}

}  // namespace sextant
