// Distributes units of work, for example the planes of an array, over partitions.
#pragma once

#include <cstdint>

namespace sextant {

// A contiguous range of units: first, …, first + count - 1.
struct Share {
  std::int64_t first = 0, count = 0;
};

// Returns the units of partition `part` of `parts` partitions. The counts differ by at most one, and the
// larger ones come first.
constexpr Share share_of(std::int64_t units, int parts, int part) {
  const std::int64_t each = units / parts, longer = units % parts;
  return {part * each + (part < longer ? part : longer), each + (part < longer ? 1 : 0)};
}

}  // namespace sextant
