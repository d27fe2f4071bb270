// Chooses the integer type for counting the iterations of loop nests that a directive collapses or tiles.
#pragma once

#include <cstdint>
#include <limits>

#include "suite/problem.hpp"

namespace sextant {

// Calls function.template operator()<Index>() with the narrowest type that can count the iterations of the
// nest. GCC divides to compute each iteration's indices. In 64 bits, these divisions take more than twice the
// time of the whole kernel in 32 bits.
template <typename Function>
void with_index(const Problem& problem, Function&& function) {
  // The ranges of the last gangs may extend beyond the end before they are clipped.
  constexpr std::int64_t slack = 1 << 22;
  if (problem.extents.count() <= std::numeric_limits<std::int32_t>::max() - slack)
    function.template operator()<std::int32_t>();
  else
    function.template operator()<std::int64_t>();
}

}  // namespace sextant
