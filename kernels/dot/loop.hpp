// dot: the dot product of two arrays of N/2 elements. For example, 2^24 elements per array are N = 2^25.
//
//     for (i = 0; i < n; ++i) sum += a[i] * b[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::dot {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  *call.array<T>(2) = sum;
}

}  // namespace sextant::dot
