// Texts one after the other.
#pragma once

#include <string>
#include <string_view>

namespace sextant {

// "a, b, c" of a range of texts; empty of none.
template <typename Texts>
std::string joined(const Texts& texts, std::string_view between = ", ") {
  std::string all;
  bool first = true;
  for (const auto& text : texts) {
    if (!first) all += between;
    all += text;
    first = false;
  }
  return all;
}

}  // namespace sextant
