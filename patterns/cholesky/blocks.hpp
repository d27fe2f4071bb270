// Blocked Cholesky factorization on the host. For each block of columns: factor the diagonal block, solve for
// the rows below it, then update the remaining matrix.
#pragma once

#include "loop.hpp"

namespace sextant::cholesky {

inline constexpr std::int64_t block = 64;

// Initializes row i of L with A's lower triangle, and zeros above the diagonal.
template <typename T>
static void copy_row(std::int64_t n, const T* a, T* l, std::int64_t i) {
  for (std::int64_t j = 0; j < n; ++j) l[i * n + j] = j <= i ? a[i * n + j] : T(0);
}

// Factors the diagonal block (rows and columns k to end - 1) without further blocking.
template <typename T>
static void factor_diagonal(std::int64_t n, T* l, std::int64_t k, std::int64_t end) {
  for (std::int64_t i = k; i < end; ++i)
    for (std::int64_t j = k; j <= i; ++j) {
      T sum = l[i * n + j];
      for (std::int64_t p = k; p < j; ++p) sum -= l[i * n + p] * l[j * n + p];
      l[i * n + j] = j < i ? sum / l[j * n + j] : std::sqrt(sum);
    }
}

// Computes columns k to end - 1 of row i of L by forward substitution. Row i lies below the diagonal block.
template <typename T>
static void solve_row(std::int64_t n, T* l, std::int64_t k, std::int64_t end, std::int64_t i) {
  for (std::int64_t j = k; j < end; ++j) {
    T sum = l[i * n + j];
#pragma omp simd reduction(+ : sum)
    for (std::int64_t p = k; p < j; ++p) sum += -l[i * n + p] * l[j * n + p];
    l[i * n + j] = sum / l[j * n + j];
  }
}

// Updates row i, columns `end` to i, with the products of columns k to end - 1. Four columns at a time share
// the loads of row i.
template <typename T>
static void subtract_row(std::int64_t n, T* l, std::int64_t k, std::int64_t end, std::int64_t i) {
  const T* mine = l + i * n;
  std::int64_t j = end;
  for (; j + 4 <= i + 1; j += 4) {
    const T* row = l + j * n;
    T first = 0, second = 0, third = 0, fourth = 0;
#pragma omp simd reduction(+ : first, second, third, fourth)
    for (std::int64_t p = k; p < end; ++p) {
      first += mine[p] * row[p];
      second += mine[p] * row[n + p];
      third += mine[p] * row[2 * n + p];
      fourth += mine[p] * row[3 * n + p];
    }
    T* to = l + i * n + j;
    to[0] -= first, to[1] -= second, to[2] -= third, to[3] -= fourth;
  }
  for (; j <= i; ++j) {
    T sum = 0;
    for (std::int64_t p = k; p < end; ++p) sum += mine[p] * l[j * n + p];
    l[i * n + j] -= sum;
  }
}

// The whole factorization. for_rows(begin, end, body) must call body(i) for each row i in [begin, end), in
// any order.
template <typename T, typename ForRows>
static void factor(const Call& call, const ForRows& for_rows) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
  for_rows(0, n, [=](std::int64_t i) { copy_row(n, a, l, i); });
  for (std::int64_t k = 0; k < n; k += block) {
    const std::int64_t end = std::min(n, k + block);
    factor_diagonal(n, l, k, end);
    for_rows(end, n, [=](std::int64_t i) { solve_row(n, l, k, end, i); });
    for_rows(end, n, [=](std::int64_t i) { subtract_row(n, l, k, end, i); });
  }
}

}  // namespace sextant::cholesky
