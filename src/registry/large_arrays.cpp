#include "registry/large_arrays.hpp"

#include <algorithm>
#include <utility>

namespace sextant {
namespace {

std::vector<FormOfFolder>& large_forms() {
  static std::vector<FormOfFolder> all = detail::for_large_arrays_in_build();
  return all;
}

}  // namespace

bool is_for_large_arrays(std::string_view folder, std::string_view variant) {
  return std::any_of(large_forms().begin(), large_forms().end(),
                     [&](const FormOfFolder& one) { return one.folder == folder && one.variant == variant; });
}

void add_for_large_arrays(FormOfFolder form) { large_forms().push_back(std::move(form)); }

}  // namespace sextant
