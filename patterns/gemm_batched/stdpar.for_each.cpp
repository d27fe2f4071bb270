#include "product.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem), count = m * m;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for_each_index(0, gemm_batched::batches_of(call.problem), [=](std::int64_t batch) {
    gemm_batched::multiply(m, a + batch * count, b + batch * count, c + batch * count);
  });
}

}  // namespace

Variant gemm_batched_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over matrices, blocks of C in registers";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
