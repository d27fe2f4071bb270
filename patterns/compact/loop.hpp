// compact: copies the non-negative elements of a to y, in order; count is their number.
//
//     for (i = 0; i < n; ++i)
//       if (a[i] >= 0) y[count++] = a[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::compact {

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  std::int32_t count = 0;
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i)
    if (a[i] >= 0) y[count++] = a[i];
  *call.array<std::int32_t>(2) = count;
}

}  // namespace sextant::compact
