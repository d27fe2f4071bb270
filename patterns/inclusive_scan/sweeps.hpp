// Runs the passes of a Hillis-Steele scan and selects which array each pass reads and writes.
#pragma once

#include <bit>
#include <cstdint>

namespace sextant::inclusive_scan {

// Calls sweep(distance, from, to) for the distances 1, 2, 4, … below n. The first pass reads a, the last one
// writes y. In between, passes alternate between y and `other`. For n = 1, a single pass copies the element.
template <typename T, typename Sweep>
void for_sweeps(std::int64_t n, const T* a, T* y, T* other, const Sweep& sweep) {
  const int count = n < 2 ? 1 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
  const T* from = a;
  for (int k = 0; k < count; ++k) {
    T* to = (count - 1 - k) % 2 == 0 ? y : other;
    sweep(std::int64_t{1} << k, from, to);
    from = to;
  }
}

}  // namespace sextant::inclusive_scan
