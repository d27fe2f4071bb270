// Corrects loop indices under OpenACC's `tile` clause, which GCC 12 implements differently.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

// Moves an inner index beyond `n` to the next row, and a row index beyond `n` to the next plane. In GCC 12,
// the inner index of a tiled loop nest continues past the end of a row. With other compilers, these functions
// change nothing.
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

// Returns the number of threads for a tile of `elements` elements, in whole warps: 32 to 1024.
constexpr int tile_threads(int elements) {
  return elements < 32 ? 32 : elements > 1024 ? 1024 : (elements + 31) / 32 * 32;
}

}  // namespace sextant::openacc
