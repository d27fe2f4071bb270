// Distributes units of work, for example the planes of an array, over partitions.
#pragma once

#include <cstdint>

namespace sextant {

// The units first, …, first + count - 1 of the whole range.
struct Share {
  std::int64_t first = 0, count = 0;
};

// Returns the units that belong to partition `part` of `parts` partitions. The counts differ by at most one;
// the larger ones come first.
constexpr Share share_of(std::int64_t units, int parts, int part) {
  const std::int64_t each = units / parts, longer = units % parts;
  return {part * each + (part < longer ? part : longer), each + (part < longer ? 1 : 0)};
}

}  // namespace sextant
