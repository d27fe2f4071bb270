// rows: a copy of an n x n matrix in rows, two arrays of N/2 elements, walked down its columns.
//
//     for (x = 0; x < n; ++x)
//       for (y = 0; y < n; ++y) c[y][x] = b[y][x];
#pragma once

#include "suite/variant.hpp"

namespace sextant::rows {

// The order of access is the kernel. The compiler may not exchange the loops, since c might overlap b for all
// it knows. Static: each variant compiles its own copy with its own flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < n; ++y) c[y * n + x] = b[y * n + x];
}

}  // namespace sextant::rows
