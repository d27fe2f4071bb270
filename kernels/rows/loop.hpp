// rows: a copy of a row-major n x n matrix, accessed down its columns. Two arrays of N/2 elements.
//
//     for (x = 0; x < n; ++x)
//       for (y = 0; y < n; ++y) c[y][x] = b[y][x];
#pragma once

#include "suite/variant.hpp"

namespace sextant::rows {

// The order of access defines the kernel. The compiler may not interchange the loops, because c might overlap
// b. The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < n; ++y) c[y * n + x] = b[y * n + x];
}

}  // namespace sextant::rows
