#include <cmath>

#include "loop.hpp"
#include "panels.hpp"

namespace sextant {
namespace {

// The straightforward implementation: one compute region per column. Each thread computes the square root of
// the column's diagonal element itself.
namespace columns {

template <typename T>
void factor_column(std::int64_t n, std::int64_t j, const T* a, T* l) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(a [0:count], l [0:count]) vector_length(128)
  for (std::int64_t i = 0; i < n; ++i) {
    if (i < j) {
      l[i * n + j] = 0;
    } else {
      T square = a[j * n + j], sum = a[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) {
        square -= l[j * n + k] * l[j * n + k];
        sum -= l[i * n + k] * l[j * n + k];
      }
      l[i * n + j] = i == j ? std::sqrt(square) : sum / std::sqrt(square);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t j = 0; j < n; ++j) factor_column(n, j, call.array<const T>(0), call.array<T>(1));
}

}  // namespace columns

// Factorization in panels of 32 columns (panels.hpp).
namespace panels {

template <typename T>
void copy_lower(std::int64_t n, const T* a, T* l) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(a [0:count], l [0:count]) vector_length(128)
  for (std::int64_t at = 0; at < count; ++at) l[at] = at % n <= at / n ? a[at] : T(0);
}

template <typename T>
void factor_column(std::int64_t n, std::int64_t k, std::int64_t j, T* l) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(l [0:count]) vector_length(128)
  for (std::int64_t i = j + 1; i < n; ++i) cholesky::factor_element(n, k, j, i, l);
}

template <typename T>
void subtract(std::int64_t n, std::int64_t k, std::int64_t end, T* l) {
  const std::int64_t count = n * n, across = cholesky::cells_across(n - end), all = across * across;
#pragma acc parallel loop gang vector present(l [0:count]) vector_length(128)
  for (std::int64_t at = 0; at < all; ++at)
    cholesky::subtract_cell(n, k, end, end + at / across * cholesky::cell, end + at % across * cholesky::cell,
                            l);
}

template <typename T>
void take_roots(std::int64_t n, T* l) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(l [0:count]) vector_length(128)
  for (std::int64_t j = 0; j < n; ++j)
    l[j * n + j] = std::sqrt(cholesky::square_of(n, l, j / cholesky::panel * cholesky::panel, j));
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* l = call.array<T>(1);
  copy_lower(n, call.array<const T>(0), l);
  for (std::int64_t k = 0; k < n; k += cholesky::panel) {
    const std::int64_t end = std::min(n, k + cholesky::panel);
    for (std::int64_t j = k; j < end && j + 1 < n; ++j) factor_column(n, k, j, l);
    if (end < n) subtract(n, k, end, l);
  }
  take_roots(n, l);
}

}  // namespace panels

}  // namespace

std::vector<Variant> cholesky_openacc() {
  return {
      {.name = "columns",
       .description = "the plain form: one region per column, one thread per row",
       .memory_space = MemorySpace::openacc,
       .launch = SEXTANT_FLOAT_DOUBLE(columns::launch)},
      {.name = "panels",
       .description =
           "panels of 32 columns: one region per column, then one that updates the rest, 4 x 4 elements "
           "per thread",
       .memory_space = MemorySpace::openacc,
       .launch = SEXTANT_FLOAT_DOUBLE(panels::launch)},
  };
}

}  // namespace sextant
