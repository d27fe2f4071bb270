// How units are dealt to parts.
#pragma once

#include <cstdint>

namespace sextant {

// Units [first, first + count) of a whole.
struct Share {
  std::int64_t first = 0, count = 0;
};

// Part `part` of `parts`: as even as whole units go, the longer ones first.
constexpr Share share_of(std::int64_t units, int parts, int part) {
  const std::int64_t each = units / parts, longer = units % parts;
  return {part * each + (part < longer ? part : longer), each + (part < longer ? 1 : 0)};
}

}  // namespace sextant
