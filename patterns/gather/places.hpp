// Places that are visited once each, in an order that is random as a whole or within windows of neighbours: a
// permutation of 0 … n-1. What gather and scatter have in common.
#pragma once

#include <algorithm>

#include "suite/problem.hpp"
#include "toolbox/draws.hpp"

namespace sextant::places {

enum Order : std::int64_t { random, near };  // Problem::parameters[0]

inline constexpr std::int64_t window = 4096;  // elements, of near places; the last one may be shorter

constexpr bool are_near(const Problem& problem) { return problem.parameters[0] == near; }

// Variant::constraint of forms that go through windows.
inline const char* refuse_random(const Problem& problem, const int*) {
  return are_near(problem) ? nullptr : "places lie anywhere, not within windows";
}

}  // namespace sextant::places
