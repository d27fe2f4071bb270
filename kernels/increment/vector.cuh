// One kernel for all loops, 16-byte accesses.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::increment {

struct Block {
  int block_size = 256;
};

inline std::vector<Tunable> block_tunables() {
  return tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
}

// One vector a thread; the elements after the last whole vector are left to the threads after it, one each.
template <typename T>
__global__ void increment_vector(std::int64_t n, T* a, int loops) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < vectors) {
    Vector<T, length> x = load<length>(a + v * length);
#pragma unroll
    for (int k = 0; k < length; ++k) {
      x[k] = x[k] + T(1);
      if (loops == 2) x[k] = x[k] + T(1);
    }
    store_streaming(a + v * length, x);
  } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
    for (int loop = 0; loop < loops; ++loop) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch_vector(const Call& call, std::int64_t n, T* a, cudaStream_t stream) {
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const int block = call.tuned<Block>().block_size;
  increment_vector<T><<<blocks_for(threads, block), block, 0, stream>>>(n, a, static_cast<int>(loops(call)));
}

}  // namespace sextant::increment
