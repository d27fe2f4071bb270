// Batcher's bitonic network for any number of items, as if ones that nothing comes after stood behind the
// last: all comparisons go upwards, so that those never move.
#pragma once

#include <cstdint>

namespace sextant::sort {

// step(mask) for all steps, in order. In each, item i meets item i ^ mask, if there is one: the smaller
// becomes the one with the smaller index.
template <typename Step>
void for_steps(std::int64_t n, const Step& step) {
  for (std::int64_t span = 2; span < 2 * n; span *= 2) {
    step(span - 1);
    for (std::int64_t distance = span / 4; distance > 0; distance /= 2) step(distance);
  }
}

}  // namespace sextant::sort
