#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

using Blocks = Choices<32, 64, 128, 256, 512>;

struct Block {
  int block_size = 64;
};

template <int block, typename T>
__global__ void __launch_bounds__(block)
    sum_segments(const std::int32_t* __restrict__ o, const T* __restrict__ a, T* __restrict__ y) {
  __shared__ T totals[block / 32];
  const std::int64_t end = o[blockIdx.x + 1];
  T sum = 0;
  for (std::int64_t i = o[blockIdx.x] + static_cast<std::int64_t>(threadIdx.x); i < end; i += block)
    sum += a[i];
  const WarpTotals<block, T> warps(warp_sum(sum), totals);
  if (threadIdx.x == 0) y[blockIdx.x] = warps.all;
}

template <typename T>
void launch(const Call& call) {
  Blocks::with(call.tuned<Block>().block_size, [&]<int block>() {
    sum_segments<block><<<static_cast<unsigned>(call.problem.extents.x), block, 0, stream_of(call)>>>(
        call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant segmented_cuda_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a segment a block, whose threads are as many as long segments have use for";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Blocks::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
