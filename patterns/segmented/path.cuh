// The path that goes through all elements and, behind the last of each segment, its end: shares of it that are equal are as
// much work, however long the segments are and however many are empty.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sextant::segmented {

// The next element and the next segment to end.
struct Place {
  std::int64_t element, segment;
};

// After `steps` of the path, in all lanes of the calling warp. End j is behind o[j + 1] elements and j ends: how many of these
// numbers lie below `steps` is found by a search that looks at 32 of them at a time.
__device__ inline Place place_after(std::int64_t steps, std::int64_t m, const std::int32_t* __restrict__ o) {
  std::int64_t low = 0, high = min(m, steps);
  while (low < high) {
    const std::int64_t step = (high - low) / 33 + 1, at = low + (threadIdx.x % 32 + 1) * step - 1;
    const bool behind = at < high && o[at + 1] + at < steps;
    const int count = __popc(__ballot_sync(~0u, behind));
    low += count * step;
    high = min(high, low + step - 1);
  }
  return {steps - low, low};
}

}  // namespace sextant::segmented
