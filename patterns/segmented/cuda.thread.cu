#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void sum_segments(std::int64_t m, const std::int32_t* __restrict__ o, const T* __restrict__ a,
                             T* __restrict__ y) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= m) return;
  const std::int64_t end = o[j + 1];
  T sum = 0;
  for (std::int64_t i = o[j]; i < end; ++i) sum += a[i];
  y[j] = sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  sum_segments<<<blocks_for(m, block), block, 0, stream_of(call)>>>(m, call.array<const std::int32_t>(0),
                                                                    call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant segmented_cuda_thread() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a segment a thread: neighbours read far apart, and a warp waits for its longest";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
