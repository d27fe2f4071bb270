// alias: x[i] = 1, then y[i] = x[i], over two arrays of N/2 elements. The optimisations that a compiler may
// apply depend on whether it knows that x and y do not overlap.
//
//     for (i = 0; i < n; ++i) { x[i] = 1; y[i] = x[i]; }
#pragma once

#include "suite/variant.hpp"

namespace sextant::alias {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* x = call.array<T>(0);
  T* y = call.array<T>(1);
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

}  // namespace sextant::alias
