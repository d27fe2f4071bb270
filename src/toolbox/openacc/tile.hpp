// Loops under OpenACC's `tile`, and what GCC makes of them.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

// GCC 12 deals out a tiled nest as runs of the collapsed range, so that at a row's end the inner index runs
// on past `n` where it should start the next row (and so from plane to plane). These carry it over; under a
// compiler that tiles as the standard says they change nothing.
template <typename Index>
SEXTANT_INLINE void carry(Index n, Index& x, Index& y) {
  while (x >= n) {
    x -= n;
    ++y;
  }
}

template <typename Index>
SEXTANT_INLINE void carry(Index n, Index& x, Index& y, Index& z) {
  carry(n, x, y);
  carry(n, y, z);
}

// The threads for a tile of `elements`: a warp at least, a block's most threads at most.
constexpr int tile_threads(int elements) {
  return elements < 32 ? 32 : elements > 1024 ? 1024 : (elements + 31) / 32 * 32;
}

}  // namespace sextant::openacc
