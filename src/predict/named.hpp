// Finds enumerators by their names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "record/measurement.hpp"

namespace sextant::predict {

inline constexpr std::array all_types = {ElementType::float32, ElementType::float64, ElementType::int32};
inline constexpr std::array all_statuses = {Status::ok,     Status::wrong,     Status::skipped,
                                            Status::failed, Status::timed_out, Status::impossible};
inline constexpr std::array all_efforts = {Effort::measured, Effort::stopped_early, Effort::checked_only};

// The enumerator in `all` with this name; nothing if there is none.
template <typename All>
auto find_named(const All& all, std::string_view name) -> std::optional<typename All::value_type> {
  for (const auto one : all)
    if (name == name_of(one)) return one;
  return {};
}

// Finds the enumerator in `all` with this name. If there is none, throws UserError, starting with `where`.
template <typename All>
auto named(const All& all, const std::string& name, const std::string& where) -> typename All::value_type {
  if (const auto found = find_named(all, name)) return *found;
  throw UserError(where + ": `" + name + "` is not a name that this program knows.");
}

}  // namespace sextant::predict
