// How transforms are shared out between clusters of blocks and multiprocessors where no cluster fits.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sextant::fft1d {

// So many of `batches` transforms are not the clusters'. Of these `clusters` run at once, on `taken`
// multiprocessors, and have as many transforms each, at least their share beside `free` multiprocessors,
// which do 95 where one with clusters does 100; `percent` of it.
inline int transforms_beside(std::int64_t batches, int clusters, int taken, int free, int percent) {
  const std::int64_t share = std::int64_t{free} * 95 * percent, all = std::int64_t{taken} * 10000 + share;
  if (clusters == 0 || share == 0) return 0;
  const std::int64_t rounds = (batches - batches * share / all + clusters - 1) / clusters;
  return static_cast<int>(std::max<std::int64_t>(batches - rounds * clusters, 0));
}

}  // namespace sextant::fft1d
