#include "registry/registry.hpp"

#include <utility>

namespace sextant {
namespace {

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

}  // namespace

std::vector<RegisteredKernel> registered(const KernelFolder& folder) {
  std::vector<Variant> variants;
  for (const VariantEntry& entry : folder.variants) {
    Variant variant = entry.make();
    variant.name = entry.name;
    variant.model = entry.model;
    variants.push_back(std::move(variant));
  }
  std::vector<RegisteredKernel> kernels;
  for (Kernel& kernel : folder.kernels())
    kernels.push_back({std::move(kernel), variants, folder.name, folder.suite});
  return kernels;
}

const std::vector<LeftOut>& left_out() { return left_out_storage(); }

void add_left_out(LeftOut left_out) { left_out_storage().push_back(std::move(left_out)); }

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
