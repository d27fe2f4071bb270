#include "product.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem), count = m * m;
  for (std::int64_t batch = 0; batch < gemm_batched::batches_of(call.problem); ++batch)
    gemm_batched::multiply(m, call.array<const T>(0) + batch * count, call.array<const T>(1) + batch * count,
                           call.array<T>(2) + batch * count);
}

}  // namespace

Variant gemm_batched_serial_simd() {
  Variant variant;
  variant.description = "blocks of C in registers, their columns in the lanes of a vector";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
