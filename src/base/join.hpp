// Texts one after the other.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sextant {

// "a, b, c" of a range's texts, or of what `text_of` makes of its elements; empty of none.
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
