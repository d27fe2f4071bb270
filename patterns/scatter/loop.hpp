// scatter: y[p[i]] = a[i] for n elements. p is a random permutation, either of all indices or within windows
// of 4096 indices.
//
//     for (i = 0; i < n; ++i) y[p[i]] = a[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::scatter {

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T, typename Place = std::int32_t>
static void loop(const Call& call) {
  const Place* p = call.array<const Place>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) y[static_cast<std::int64_t>(p[i])] = a[i];
}

}  // namespace sextant::scatter
