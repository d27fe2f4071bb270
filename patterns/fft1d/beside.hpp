// Divides a batch of transforms between thread-block clusters and the multiprocessors that are left free by
// clusters.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sextant::fft1d {

// Returns how many of `batches` transforms to compute on the `free` multiprocessors outside clusters.
// `clusters` clusters run at once, on `taken` multiprocessors, and compute equally many transforms. A free
// multiprocessor is assumed to have 95 % of the speed of one in a cluster. `percent` scales the result.
inline int transforms_beside(std::int64_t batches, int clusters, int taken, int free, int percent) {
  const std::int64_t share = std::int64_t{free} * 95 * percent, all = std::int64_t{taken} * 10000 + share;
  if (clusters == 0 || share == 0) return 0;
  const std::int64_t rounds = (batches - batches * share / all + clusters - 1) / clusters;
  return static_cast<int>(std::max<std::int64_t>(batches - rounds * clusters, 0));
}

}  // namespace sextant::fft1d
