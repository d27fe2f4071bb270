// pointer_chase: several chains walk along one cycle through all entries of a table. Each chain starts at its
// own entry and takes the same number of steps.
//
//     for (c = 0; c < chains; ++c) {
//       j = start[c];
//       for (s = 0; s < steps; ++s) j = next[j];
//       last[c] = j;
//     }
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::pointer_chase {

// The number of chains: the parameter `chains`, but at most a quarter of the elements.
constexpr std::int64_t chains_of(const Problem& problem) {
  return std::min(problem.parameters[0], problem.extents.x / 4);
}
constexpr std::int64_t steps_of(const Problem& problem) { return problem.parameters[1]; }
// The number of table entries.
constexpr std::int64_t places_of(const Problem& problem) {
  return problem.extents.x - 2 * chains_of(problem);
}

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
[[maybe_unused]] static void walk(const Call& call, std::int64_t chain) {
  const T *next = call.array<const T>(0), *start = call.array<const T>(1);
  const std::int64_t steps = steps_of(call.problem);
  auto j = static_cast<std::int64_t>(start[chain]);
  for (std::int64_t s = 0; s < steps; ++s) j = static_cast<std::int64_t>(next[j]);
  call.array<T>(2)[chain] = static_cast<T>(j);
}

template <typename T>
[[maybe_unused]] static void loop(const Call& call) {
  for (std::int64_t c = 0; c < chains_of(call.problem); ++c) walk<T>(call, c);
}

}  // namespace sextant::pointer_chase
