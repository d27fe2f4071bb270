#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const T *p = call.array<const T>(0), *k = call.array<const T>(1), *t = call.array<const T>(2);
  T *calls = call.array<T>(3), *puts = call.array<T>(4);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) {
    const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

}  // namespace

Variant blackscholes_openmp_simd() {
  Variant variant;
  variant.description = "threads and SIMD, functions of the library, which takes one value at a time";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
