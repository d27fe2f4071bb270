// gather: y[i] = a[p[i]]. The arrays have a third of the N elements each. p is a random permutation, either
// of all elements or within windows of 4096.
//
//     for (i = 0; i < n; ++i) y[i] = a[p[i]];
#pragma once

#include "suite/variant.hpp"

namespace sextant::gather {

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T, typename Place = std::int32_t>
static void loop(const Call& call) {
  const Place* p = call.array<const Place>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) y[i] = a[static_cast<std::int64_t>(p[i])];
}

}  // namespace sextant::gather
