// spmv: y = A x, A by rows (CSR): the entries of row r are row[r] … row[r+1]-1. Three kernels that differ in the matrix's
// structure: banded, uniform, powerlaw. No row is empty.
//
//     for (r = 0; r < m; ++r) {
//       sum = 0;
//       for (e = row[r]; e < row[r+1]; ++e) sum += val[e] * x[col[e]];
//       y[r] = sum;
//     }
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::spmv {

// A call's arrays.
template <typename T, typename Index = std::int32_t>
struct Arrays {
  const Index *row, *col;
  const T *val, *x;
  T* y;

  explicit Arrays(const Call& call)
      : row(call.array<const Index>(0)),
        col(call.array<const Index>(1)),
        val(call.array<const T>(2)),
        x(call.array<const T>(3)),
        y(call.array<T>(4)) {}
};

// Static: each variant compiles its own copy with its own flags.
template <typename T, typename Index = std::int32_t>
static void loop(const Call& call) {
  const Arrays<T, Index> a(call);
  auto e = static_cast<std::int64_t>(a.row[0]);
  for (std::int64_t r = 0; r < call.problem.extents.x; ++r) {
    const auto end = static_cast<std::int64_t>(a.row[r + 1]);
    T sum = 0;
    for (; e < end; ++e) sum += a.val[e] * a.x[static_cast<std::int64_t>(a.col[e])];
    a.y[r] = sum;
  }
}

}  // namespace sextant::spmv
