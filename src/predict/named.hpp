// Enumerators by their names.
#pragma once

#include <optional>
#include <string_view>

namespace sextant::predict {

// The one of `all` that has the name, or nothing.
template <typename All>
auto find_named(const All& all, std::string_view name) -> std::optional<typename All::value_type> {
  for (const auto one : all)
    if (name == name_of(one)) return one;
  return {};
}

}  // namespace sextant::predict
