// Chooses the integer type of loop indices for loop nests that a directive collapses or tiles.
#pragma once

#include <cstdint>
#include <limits>

#include "suite/problem.hpp"

namespace sextant {

// Calls function.template operator()<Index>() with the narrowest type that can count all iterations. GCC
// divides to compute the indices of a collapsed loop, and 64-bit divisions take much longer than 32-bit ones.
template <typename Function>
void with_index(const Problem& problem, Function&& function) {
  // The ranges of the last gangs may extend beyond the end before they are clipped, so some room is left.
  constexpr std::int64_t slack = 1 << 22;
  if (problem.extents.count() <= std::numeric_limits<std::int32_t>::max() - slack)
    function.template operator()<std::int32_t>();
  else
    function.template operator()<std::int64_t>();
}

}  // namespace sextant
