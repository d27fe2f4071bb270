// softmax: replaces each row of a matrix by weights that are proportional to e^x and add up to 1.
//
//     for (r = 0; r < rows; ++r) {
//       most = max over c of x[r][c];
//       sum = 0;
//       for (c = 0; c < row; ++c) sum += y[r][c] = exp(x[r][c] - most);
//       for (c = 0; c < row; ++c) y[r][c] = y[r][c] / sum;
//     }
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::softmax {

// Elements per row: the parameter `row`, but at most extents.x, the number of elements of x.
constexpr std::int64_t columns_of(const Problem& problem) {
  return std::min(problem.parameters[0], problem.extents.x);
}
constexpr std::int64_t rows_of(const Problem& problem) {
  return columns_of(problem) == 0 ? 0 : problem.extents.x / columns_of(problem);
}

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  using std::exp;
  const std::int64_t rows = rows_of(call.problem), columns = columns_of(call.problem);
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(1);
  for (std::int64_t r = 0; r < rows; ++r, x += columns, y += columns) {
    T most = x[0];
    for (std::int64_t c = 1; c < columns; ++c)
      if (x[c] >= most) most = x[c];
    T sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      y[c] = exp(x[c] - most);
      sum += y[c];
    }
    for (std::int64_t c = 0; c < columns; ++c) y[c] = y[c] / sum;
  }
}

}  // namespace sextant::softmax
