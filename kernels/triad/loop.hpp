// triad: c[i] = a[i] + s*b[i] over three arrays of N/3 elements (STREAM's triad, J. D. McCalpin). STREAM uses
// other array names.
//
//     for (i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::triad {

inline constexpr double scalar = 0.4;

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const T s = static_cast<T>(scalar);
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

}  // namespace sextant::triad
