// all_reduce: every part has a vector of n numbers, and all are to have the sum of all vectors.
//
//     for (part = 0; part < parts; ++part)
//       for (i = 0; i < n; ++i) c[part][i] = a[0][i] + a[1][i] + … + a[parts - 1][i];
//
// One part by itself has the sum already: it is copied.
#pragma once

#include "suite/variant.hpp"

namespace sextant::all_reduce {

// Static: each variant compiles its own copy with its own flags.
template <typename T>
static void loop(const Call& call) {
  const T* a = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[i] = a[i];
}

}  // namespace sextant::all_reduce
