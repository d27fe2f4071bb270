// map_chain: a chain of maps over the same elements, alternating y/2 + x and y/2 - x. Every map must be
// applied: maps may share a launch, but must not be merged into one formula.
//
//     for (t = 0; t < steps; ++t)
//       for (i = 0; i < n; ++i)
//         y[i] = 0.5 * (t == 0 ? y0[i] : y[i]) + (t % 2 == 0 ? x[i] : -x[i]);
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::map_chain {

constexpr std::int64_t steps_of(const Problem& problem) { return problem.parameters[0]; }

// Applies map t to elements begin … end - 1. `static`: each including source file compiles its own copy with
// its own compiler flags.
template <typename T>
[[maybe_unused]] static void apply(std::int64_t t, std::int64_t begin, std::int64_t end, const T* x,
                                   const T* y0, T* y) {
  const T half = T(0.5);
  const T* from = t == 0 ? y0 : y;
  if (t % 2 == 0)
    for (std::int64_t i = begin; i < end; ++i) y[i] = half * from[i] + x[i];
  else
    for (std::int64_t i = begin; i < end; ++i) y[i] = half * from[i] - x[i];
}

template <typename T>
[[maybe_unused]] static void loop(const Call& call) {
  for (std::int64_t t = 0; t < steps_of(call.problem); ++t)
    apply(t, 0, call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace sextant::map_chain
