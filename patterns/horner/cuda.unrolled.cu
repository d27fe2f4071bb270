// The degree is known when this is compiled: there is no loop, and each coefficient is an operand of its multiplication.
#include "constant.cuh"

namespace sextant {
namespace {

using Degrees = Choices<8, 16, 32, 64>;

template <int values, int degree, typename T>
__global__ void evaluate(std::int64_t n, const T* __restrict__ x, T* __restrict__ y) {
  horner::Share<values, T> share;
  share.load(n, x);
  share.start(horner::coefficient<T>(degree));
#pragma unroll
  for (int k = degree - 1; k >= 0; --k) share.step(horner::coefficient<T>(k));
  share.store(n, y);
}

template <typename T>
void launch(const Call& call) {
  horner::copy_coefficients<T>(call);
  Degrees::with(static_cast<int>(horner::degree_of(call.problem)), [&]<int degree>() {
    horner::with_shape(call, [&]<int values>(unsigned blocks, int threads) {
      evaluate<values, degree><<<blocks, threads, 0, stream_of(call)>>>(
          call.problem.extents.x, call.array<const T>(1), call.array<T>(2));
    });
  });
}

const char* refuse(const Problem& problem, const int*) {
  bool known = false;
  Degrees::with(static_cast<int>(horner::degree_of(problem)), [&]<int degree>() { known = true; });
  return known ? nullptr : "degrees of 8, 16, 32 and 64 alone are compiled";
}

}  // namespace

Variant horner_cuda_unrolled() {
  Variant variant = horner::share_variant(
      "degrees of 8, 16, 32 and 64: no loop, coefficients are operands from constant memory");
  variant.constraint = refuse;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
