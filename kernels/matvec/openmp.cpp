#include "loop.hpp"

namespace sextant {
namespace {

// Computes four rows together, which share the elements of x and hide the latency of the additions.
template <typename T>
void four_rows(const T* a, const T* x, T* y, std::int64_t n) {
  T first = 0, second = 0, third = 0, fourth = 0;
#pragma omp simd reduction(+ : first, second, third, fourth)
  for (std::int64_t j = 0; j < n; ++j) {
    first += a[j] * x[j];
    second += a[j + n] * x[j];
    third += a[j + 2 * n] * x[j];
    fourth += a[j + 3 * n] * x[j];
  }
  y[0] = first;
  y[1] = second;
  y[2] = third;
  y[3] = fourth;
}

template <typename T>
T one_row(const T* a, const T* x, std::int64_t n) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t j = 0; j < n; ++j) sum += a[j] * x[j];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* x = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; i += 4) {
    if (i + 4 <= n)
      four_rows(a + i * n, x, y + i, n);
    else
      for (std::int64_t row = i; row < n; ++row) y[row] = one_row(a + row * n, x, n);
  }
}

}  // namespace

std::vector<Variant> matvec_openmp() {
  return {{.name = "simd",
           .description = "threads over groups of four rows; SIMD along the rows",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
