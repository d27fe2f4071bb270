// all_reduce: each part (GPU or rank) holds a vector of n numbers; all parts receive the sum of all vectors.
//
//     for (part = 0; part < parts; ++part)
//       for (i = 0; i < n; ++i) c[part][i] = a[0][i] + a[1][i] + … + a[parts - 1][i];
//
// With a single part, the sum is the vector itself, so it is copied.
#pragma once

#include "suite/variant.hpp"

namespace sextant::all_reduce {

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const T* a = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[i] = a[i];
}

}  // namespace sextant::all_reduce
