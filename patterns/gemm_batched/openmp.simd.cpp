#include "product.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem),
                     batches = gemm_batched::batches_of(call.problem), count = m * m;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t batch = 0; batch < batches; ++batch)
    gemm_batched::multiply(m, a + batch * count, b + batch * count, c + batch * count);
}

}  // namespace

Variant gemm_batched_openmp_simd() {
  Variant variant;
  variant.description = "threads over matrices, blocks of C in registers";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
