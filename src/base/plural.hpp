// Formats a number together with the noun that it counts.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace sextant {

// Returns a text such as "1 case", "2 cases" or "2 processes".
std::string plural(std::integral auto number, std::string_view what) {
  const std::string_view end = number == 1 ? "" : what.ends_with('s') ? "es" : "s";
  return std::to_string(number).append(" ").append(what).append(end);
}

}  // namespace sextant
