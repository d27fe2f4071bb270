#include "constant.cuh"

namespace sextant {
namespace {

template <int values, typename T>
__global__ void evaluate(std::int64_t n, int degree, const T* __restrict__ x, T* __restrict__ y) {
  horner::Share<values, T> share;
  share.load(n, x);
  share.start(horner::coefficient<T>(degree));
#pragma unroll 8
  for (int k = degree - 1; k >= 0; --k) share.step(horner::coefficient<T>(k));
  share.store(n, y);
}

template <typename T>
void launch(const Call& call) {
  horner::copy_coefficients<T>(call);
  horner::with_shape(call, [&]<int values>(unsigned blocks, int threads) {
    evaluate<values><<<blocks, threads, 0, stream_of(call)>>>(
        call.problem.extents.x, static_cast<int>(horner::degree_of(call.problem)), call.array<const T>(1),
        call.array<T>(2));
  });
}

}  // namespace

Variant horner_cuda_constant() {
  Variant variant = horner::share_variant("some values a thread, coefficients from constant memory");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
