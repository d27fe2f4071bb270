// increment, increment2: add 1 to every element of one array of N elements, in one loop or in two successive
// loops.
//
//     for (i = 0; i < n; ++i) a[i] = a[i] + 1;
//     for (i = 0; i < n; ++i) a[i] = a[i] + 1;  // increment2 only
#pragma once

#include "suite/variant.hpp"

namespace sextant::increment {

inline std::int64_t loops(const Call& call) { return call.problem.parameters[0]; }

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* a = call.array<T>(0);
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
  if (loops(call) == 1) return;
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

}  // namespace sextant::increment
