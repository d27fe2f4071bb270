// add: c[i] = a[i] + b[i] over three arrays of N/3 elements (STREAM's add, J. D. McCalpin). STREAM uses other
// array names.
//
//     for (i = 0; i < n; ++i) c[i] = a[i] + b[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::add {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace sextant::add
