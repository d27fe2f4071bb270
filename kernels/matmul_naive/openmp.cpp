#include <algorithm>

#include "loop.hpp"

namespace sextant {

// matmul_naive has the same problem and arrays as matmul, so it reuses these variants of matmul.
Variant matmul_openmp_blocked();

namespace {

namespace simd {

// Computes the dot products of row a with `width` neighbouring columns of B, one per SIMD lane.
template <int width, typename T>
void dot_products(const T* a, const T* b, T* c, std::int64_t n) {
  T sums[width] = {};
  for (std::int64_t k = 0; k < n; ++k) {
    const T factor = a[k];
#pragma omp simd
    for (int lane = 0; lane < width; ++lane) sums[lane] += factor * b[k * n + lane];
  }
  std::copy(sums, sums + width, c);
}

template <typename T>
void launch(const Call& call) {
  constexpr int width = 256 / sizeof(T);
  const std::int64_t n = call.problem.extents.x, whole = n / width * width;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < whole; j += width) dot_products<width>(a + i * n, b + j, c + i * n + j, n);
    for (std::int64_t j = whole; j < n; ++j) dot_products<1>(a + i * n, b + j, c + i * n + j, n);
  }
}

}  // namespace simd

}  // namespace

std::vector<Variant> matmul_naive_openmp() {
  return {
      named("blocked", matmul_openmp_blocked()),
      {.name = "simd",
       .description = "threads over rows of C; SIMD over its columns, one dot product per lane",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  };
}

}  // namespace sextant
