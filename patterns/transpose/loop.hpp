// transpose: y is the transpose of a, which has extents.y rows of extents.x elements. If only a size N is
// given, the matrix is square.
//
//     for (i = 0; i < rows; ++i)
//       for (j = 0; j < columns; ++j) y[j][i] = a[i][j];
#pragma once

#include "suite/variant.hpp"

namespace sextant::transpose {

// Copies each element (i, j) of a to (j, i) of y, where i_begin <= i < i_end and j_begin <= j < j_end.
// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static void turn(const Extents& extents, const T* a, T* y, std::int64_t i_begin, std::int64_t i_end,
                 std::int64_t j_begin, std::int64_t j_end) {
  const std::int64_t rows = extents.y, columns = extents.x;
  for (std::int64_t i = i_begin; i < i_end; ++i)
    for (std::int64_t j = j_begin; j < j_end; ++j) y[j * rows + i] = a[i * columns + j];
}

template <typename T>
static void loop(const Call& call) {
  const Extents& extents = call.problem.extents;
  turn(extents, call.array<const T>(0), call.array<T>(1), 0, extents.y, 0, extents.x);
}

// Like `turn`, but the inner loop runs along rows of y. Blocks should be so small that their cache lines of y
// stay in the L1 cache until they are full.
template <typename T>
static void turn_block(const Extents& extents, const T* a, T* y, std::int64_t i_begin, std::int64_t i_end,
                       std::int64_t j_begin, std::int64_t j_end) {
  const std::int64_t rows = extents.y, columns = extents.x;
  for (std::int64_t j = j_begin; j < j_end; ++j)
    for (std::int64_t i = i_begin; i < i_end; ++i) y[j * rows + i] = a[i * columns + j];
}

}  // namespace sextant::transpose
