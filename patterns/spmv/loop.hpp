// spmv: y = A x with A in CSR format; the nonzeros of row r are row[r] … row[r+1] - 1. The kernels
// spmv_banded, spmv_uniform and spmv_powerlaw differ in the structure of the matrix. No row is empty.
//
//     for (r = 0; r < m; ++r) {
//       sum = 0;
//       for (e = row[r]; e < row[r+1]; ++e) sum += val[e] * x[col[e]];
//       y[r] = sum;
//     }
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/problem.hpp"
#include "suite/variant.hpp"
#include "toolbox/draws.hpp"

namespace sextant::spmv {

// The arrays of one call.
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

// `static`: each including source file compiles its own copy with its own compiler flags.
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

// Formulas for the structure of the matrices. The structure does not depend on the seed, so data prepared for
// one input serve every other input.

enum Structure : std::int64_t { banded, uniform, powerlaw };  // values of Problem::parameters[0]

inline constexpr std::int64_t even_length = 16;  // nonzeros per row of the banded and uniform matrices
// largest number of rows; the ruler sequence defines this many lengths
inline constexpr std::int64_t most_rows = (std::int64_t{1} << 28) - 1;

// Returns the number of nonzeros in row r of a matrix with m rows. It is at most m.
constexpr std::int64_t row_length(std::int64_t structure, std::int64_t m, std::int64_t r) {
  return std::min(structure == powerlaw ? ruler_length(r) : even_length, m);
}

// Returns the number of nonzeros in all rows before row r, 0 <= r <= m. In a power-law matrix, one row in
// 2^(t+1) has the length of mark t of the ruler sequence.
constexpr std::int64_t row_offset(std::int64_t structure, std::int64_t m, std::int64_t r) {
  if (structure != powerlaw) return r * std::min(even_length, m);
  std::int64_t sum = 0;
  for (int t = 0; r >> t > 0; ++t)
    sum += ((r >> t) - (r >> (t + 1))) * std::min(ruler_length((std::int64_t{1} << t) - 1), m);
  return sum;
}

// The columns are divided into k ranges for a row with k nonzeros. Nonzero q is in a random column of range
// q, shifted by q columns. Returns the start of range q.
constexpr std::int64_t first_column(std::int64_t structure, std::int64_t m, std::int64_t k, std::int64_t q) {
  if (structure == uniform) return (m - k) * q / k;
  const double part = static_cast<double>(q) / static_cast<double>(k);
  return static_cast<std::int64_t>(static_cast<double>(m - k) * (part * part * part));
}

// Returns the column of nonzero q of row r, which has k nonzeros. `entry` is the nonzero's index in the
// matrix. Columns ascend along a row.
constexpr std::int64_t column(std::int64_t structure, std::int64_t m, std::int64_t r, std::int64_t k,
                              std::int64_t q, std::int64_t entry) {
  if (structure == banded) return std::clamp<std::int64_t>(r - even_length / 2, 0, m - k) + q;
  const std::int64_t low = first_column(structure, m, k, q), high = first_column(structure, m, k, q + 1);
  return q + low + below(structure_seed(1), entry, std::max<std::int64_t>(1, high - low));
}

constexpr std::int64_t rows_of(const Problem& problem) { return problem.extents.x; }
constexpr std::int64_t entries_of(const Problem& problem) {
  return row_offset(problem.parameters[0], rows_of(problem), rows_of(problem));
}

// Vectorized row sums.

// Returns the sum over nonzeros begin … end - 1. `static`: each including source file compiles its own copy
// with its own compiler flags.
template <typename T>
static T sum_of_entries(const Arrays<T>& a, std::int64_t begin, std::int64_t end) {
  const std::int32_t* col = a.col;
  const T *val = a.val, *x = a.x;
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t e = begin; e < end; ++e) sum += val[e] * x[col[e]];
  return sum;
}

}  // namespace sextant::spmv

// Merge path (Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", 2016). The
// path visits all nonzeros in order, and each row end after the row's last nonzero. Slices of equal length
// take equal work, whatever the row lengths.
#ifdef __CUDACC__
  #define SEXTANT_SPMV_ANYWHERE __host__ __device__ __forceinline__
#else
  #define SEXTANT_SPMV_ANYWHERE inline __attribute__((always_inline))
#endif

namespace sextant::spmv {

// A position on the merge path: the first `rows` rows have ended, and `entries` nonzeros have been visited.
template <typename Count>
struct Place {
  Count rows, entries;
};

// Returns the position after `steps` steps of the merge path. The matrix has m rows and `entries` nonzeros;
// ends[r] is the end of row r.
template <typename Count>
SEXTANT_SPMV_ANYWHERE Place<Count> place_on_path(Count steps, Count m, Count entries,
                                                 const std::int32_t* ends) {
  Count low = steps > entries ? steps - entries : 0, high = steps < m ? steps : m;
  while (low < high) {
    const Count middle = (low + high) / 2;
    if (ends[middle] < steps - middle)  // the end of row `middle` is before the position
      low = middle + 1;
    else
      high = middle;
  }
  return {low, steps - low};
}

}  // namespace sextant::spmv
