// A launch for each pass, through memory: transforms of any length.
#pragma once

#include "device_state.cuh"
#include "pass.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::fft1d {

struct StageBlock {
  int block_size = 256;
};

template <int radix, typename T>
__global__ void pass_of_all(std::int64_t batches, std::int64_t length, std::int64_t done,
                            const Complex<T>* __restrict__ from, const Complex<T>* __restrict__ factors,
                            Complex<T>* __restrict__ to) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t butterflies = length / radix, j = at & (butterflies - 1),
                     first = (at - j) * radix;  // butterflies are a power of two
  if (first < batches * length) pass<radix>(from + first, to + first, factors, length, done, j);
}

template <int most, typename T>
void launch_stages(const Call& call) {
  const std::int64_t length = length_of(call.problem), batches = batches_of(call.problem);
  const int block = call.tuned<StageBlock>().block_size;
  for_each_pass<T>(
      call.problem, most, call.arrays[0], call.arrays[1], call.state,
      [&]<int radix>(std::int64_t done, const Complex<T>* from, Complex<T>* to, const Complex<T>* factors) {
        pass_of_all<radix><<<blocks_for(batches * length / radix, block), block, 0, stream_of(call)>>>(
            batches, length, done, from, factors, to);
      });
}

template <int most>
Variant stages_variant(const char* description) {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = description;
  variant.tunables = tunables<StageBlock>({{"block_size", &StageBlock::block_size, {64, 128, 256, 512}}});
  variant.launch = {.float32 = launch_stages<most, float>, .float64 = launch_stages<most, double>};
  variant.workspace = state_bytes;
  variant.prepare = [](const Call& call, void** state) {
    return prepare_factors(call, state_bytes(call.problem, nullptr), state);
  };
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant::fft1d
