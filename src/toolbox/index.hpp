// The type that counts the points of a nest of loops which a compiler's directives turn into one.
#pragma once

#include <cstdint>
#include <limits>

#include "suite/problem.hpp"

namespace sextant {

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

}  // namespace sextant
