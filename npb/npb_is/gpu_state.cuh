// Components of NAS IS that the CUDA variants share: generation of keys and their changes per iteration.
#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "problem.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/memory.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::npb_is {

// Generates all keys in a grid-stride loop. Consecutive threads generate consecutive keys; `jump` is the
// factor that advances a thread's generator.
__global__ static void generate_keys(std::int64_t count, int bits, std::uint64_t jump, std::int32_t* keys) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::uint64_t state = state_before(j);
  for (; j < count; j += stride) {
    std::uint64_t next = state;
    keys[j] = next_key(next, bits);
    state = npb::random_product(jump, state);
  }
}

inline const char* make_keys(const Call& call, DeviceMemory<std::int32_t>* keys) {
  const std::int64_t count = key_count(call.problem);
  if (!keys->allocate(count)) return "device memory ran out";
  const unsigned block = 256, grid = static_cast<unsigned>(8 * multiprocessors());
  const std::uint64_t jump = npb::random_jump(4 * std::uint64_t{grid} * block);
  generate_keys<<<grid, block, 0, stream_of(call)>>>(count, max_log2(call.problem), jump, keys->data);
  return nullptr;
}

// Applies the key changes of iteration `it`, with the threads of one block. The first iteration also resets
// all twenty keys that iterations change, because a previous run may have changed them.
__device__ __forceinline__ void change_keys(int bits, int it, std::int32_t* keys) {
  const int j = static_cast<int>(threadIdx.x);
  if (j >= 1 && j < changed_end && (it == 1 || j == it || j == it + iterations))
    keys[j] = key_at(j, it, bits);
}

}  // namespace sextant::npb_is
