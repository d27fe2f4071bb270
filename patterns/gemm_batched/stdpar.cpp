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

std::vector<Variant> gemm_batched_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over matrices, blocks of C in registers",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
