#include "loop.hpp"
#include "vectors.hpp"

namespace sextant {
namespace {

namespace simd {

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

}  // namespace simd

namespace vectors {

template <typename T>
void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < horner::tiles_of(call.problem.extents.x); ++part)
    horner::evaluate_part<T>(call, part * horner::tile, horner::tile);
}

Variant form() {
  Variant variant = horner::vectors_variant("threads, each with 1, 4 or 8 vectors of values in flight");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace vectors

}  // namespace

std::vector<Variant> horner_openmp() {
  return {
      {.name = "simd", .description = "threads and SIMD", .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      named("vectors", vectors::form()),
  };
}

}  // namespace sextant
