// Index permutations of gather and scatter. Each index from 0 to n - 1 occurs once, in an order that is
// random overall or within windows of neighbours.
#pragma once

#include <algorithm>

#include "suite/problem.hpp"
#include "toolbox/draws.hpp"

namespace sextant::places {

enum Order : std::int64_t { random, near };  // values of Problem::parameters[0]

// Number of indices per window in order `near`; the last window may be shorter.
inline constexpr std::int64_t window = 4096;

constexpr bool are_near(const Problem& problem) { return problem.parameters[0] == near; }

// The check (Variant::constraint) of variants that work window by window. Returns null if they can solve the
// problem, otherwise the reason.
inline const char* refuse_random(const Problem& problem, const int*) {
  return are_near(problem) ? nullptr : "only for indices within windows of 4096 (gather_near, scatter_near)";
}

}  // namespace sextant::places
