// copy: c[i] = b[i] over two arrays of N/2 elements (STREAM's copy, J. D. McCalpin). STREAM uses other array
// names.
//
//     for (i = 0; i < n; ++i) c[i] = b[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::copy {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t i = 0; i < n; ++i) c[i] = b[i];
}

}  // namespace sextant::copy
