// Panels of 32 columns (panels.hpp).
#include "panels.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant cholesky_openacc_panels() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description =
      "panels of 32 columns, a region a column; products of a panel in cells of 4 x 4 a thread";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
