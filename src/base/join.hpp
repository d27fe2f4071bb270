// Joins texts with a separator.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sextant {

// Joins the elements, or text_of(element) for each: "a, b, c". Empty for an empty range.
template <typename Range, typename Text = std::identity>
std::string join(const Range& range, std::string_view between = ", ", Text text_of = {}) {
  std::string all;
  bool first = true;
  for (const auto& one : range) {
    if (!first) all += between;
    all += std::invoke(text_of, one);
    first = false;
  }
  return all;
}

}  // namespace sextant
