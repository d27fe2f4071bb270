// inclusive_scan: y[i] = a[0] + … + a[i]. Each of the two arrays has half of the N elements.
//
//     for (i = 0; i < n; ++i) y[i] = sum += a[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::inclusive_scan {

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  T sum = 0;
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) y[i] = sum += a[i];
}

// Writes the prefix sums of a, starting from `sum`, to y, and returns the last one. The compiler vectorizes
// it.
template <typename T>
static T scan_from(T sum, std::int64_t count, const T* a, T* y) {
#pragma omp simd reduction(inscan, + : sum)
  for (std::int64_t i = 0; i < count; ++i) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    y[i] = sum;
  }
  return sum;
}

template <typename T>
static T sum_of(std::int64_t count, const T* a) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) sum += a[i];
  return sum;
}

}  // namespace sextant::inclusive_scan
