// Batcher's bitonic network for any number of items. In all comparisons the smaller item moves to the smaller
// index. So n need not be a power of two: missing items count as the largest and would never move.
#pragma once

#include <cstdint>

namespace sextant::sort {

// Calls step(mask) for all steps, in order. A step compares each item i with item i ^ mask, if that exists,
// and moves the smaller one to the smaller index.
template <typename Step>
void for_steps(std::int64_t n, const Step& step) {
  for (std::int64_t span = 2; span < 2 * n; span *= 2) {
    step(span - 1);
    for (std::int64_t distance = span / 4; distance > 0; distance /= 2) step(distance);
  }
}

}  // namespace sextant::sort
