// Corrects indices in loops with OpenACC's `tile` clause, which GCC compiles in an unusual way.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

// Moves an inner index beyond `n` to the next row, and a row index beyond `n` to the next plane. GCC 12
// distributes a tiled nest as chunks of the collapsed range, so that the inner index continues past the end
// of a row. With a compiler that tiles as the standard says, these functions change nothing.
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

// Returns the number of threads for a tile of `elements` elements: at least a warp, at most the largest
// block.
constexpr int tile_threads(int elements) {
  return elements < 32 ? 32 : elements > 1024 ? 1024 : (elements + 31) / 32 * 32;
}

}  // namespace sextant::openacc
