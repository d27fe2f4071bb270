#include "loop.hpp"
#include "product.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem), count = m * m;
  for (std::int64_t batch = 0; batch < gemm_batched::batches_of(call.problem); ++batch)
    gemm_batched::multiply(m, call.array<const T>(0) + batch * count, call.array<const T>(1) + batch * count,
                           call.array<T>(2) + batch * count);
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(gemm_batched)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(gemm_batched::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(gemm_batched::loop)},
      {.name = "simd",
       .description = "blocks of C in registers, SIMD along columns",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  });
}

}  // namespace sextant
