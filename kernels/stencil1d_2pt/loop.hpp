// stencil1d_2pt: the mean of both neighbours, over two arrays of N/2 elements. The end points are copied.
//
//     for (i = 0; i < n; ++i) c[i] = i == 0 || i == n - 1 ? b[i] : (b[i-1] + b[i+1]) / 2;
#pragma once

#include "suite/variant.hpp"

namespace sextant::stencil1d_2pt {

// Returns the new value at interior point i.
template <typename T>
static constexpr T point(const T* b, std::int64_t i) {
  return static_cast<T>(0.5) * (b[i - 1] + b[i + 1]);
}

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  c[0] = b[0];
  for (std::int64_t i = 1; i < n - 1; ++i) c[i] = point(b, i);
  c[n - 1] = b[n - 1];
}

}  // namespace sextant::stencil1d_2pt
