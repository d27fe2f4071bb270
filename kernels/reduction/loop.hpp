// reduction: the sum of one array of N elements.
//
//     for (i = 0; i < n; ++i) sum += a[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::reduction {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  *call.array<T>(1) = sum;
}

}  // namespace sextant::reduction
