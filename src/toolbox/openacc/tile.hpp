// Loops under OpenACC's `tile`, and what GCC makes of them.
#pragma once

#include <cstdint>
#include <limits>

#include "suite/problem.hpp"
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

// Calls function.template operator()<Index>() with the narrowest type that counts the points of a collapsed
// or tiled nest: GCC divides to find each point's place, and in 64 bits that costs more than twice the whole
// kernel.
template <typename Function>
void with_index(const Problem& problem, Function&& function) {
  constexpr std::int64_t slack = 1 << 22;  // the last gangs' runs may reach past the end before they are cut
  if (problem.extents.count() <= std::numeric_limits<std::int32_t>::max() - slack)
    function.template operator()<std::int32_t>();
  else
    function.template operator()<std::int64_t>();
}

}  // namespace sextant::openacc
