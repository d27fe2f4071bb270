#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, degree = horner::degree_of(call.problem);
  const T *c = call.array<const T>(0), *x = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = c[degree];
    for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}

}  // namespace

Variant horner_openmp_simd() {
  Variant variant;
  variant.description = "threads and SIMD";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
