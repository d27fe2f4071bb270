// What the CUDA forms share that read the table where it lies.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::pointer_chase {

// Chains first, first + apart, … of the calling thread, all on their way at a time. Beyond the last chain the first once more.
template <int width>
__device__ __forceinline__ void walk_some(std::int64_t first, std::int64_t apart, std::int64_t chains,
                                          std::int64_t steps, const std::int32_t* __restrict__ next,
                                          const std::int32_t* __restrict__ start,
                                          std::int32_t* __restrict__ last) {
  std::int32_t at[width];
#pragma unroll
  for (int k = 0; k < width; ++k) at[k] = start[first + k * apart < chains ? first + k * apart : first];
#pragma unroll 8
  for (std::int64_t s = 0; s < steps; ++s)
#pragma unroll
    for (int k = 0; k < width; ++k) at[k] = next[at[k]];
#pragma unroll
  for (int k = 0; k < width; ++k)
    if (first + k * apart < chains) last[first + k * apart] = at[k];
}

// `lanes` neighbouring chains a warp, one a lane; the other lanes have none.
template <int lanes>
__global__ void walk_lanes(std::int64_t chains, std::int64_t steps, const std::int32_t* __restrict__ next,
                           const std::int32_t* __restrict__ start, std::int32_t* __restrict__ last) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t c = thread / 32 * lanes + thread % 32;
  if (thread % 32 < lanes && c < chains) walk_some<1>(c, 0, chains, steps, next, start, last);
}

template <int lanes>
void launch_lanes(const Call& call, int block) {
  const std::int64_t chains = chains_of(call.problem);
  walk_lanes<lanes><<<blocks_for((chains + lanes - 1) / lanes * 32, block), block, 0, stream_of(call)>>>(
      chains, steps_of(call.problem), call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
      call.array<std::int32_t>(2));
}

}  // namespace sextant::pointer_chase
