#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Lanes = Choices<2, 4, 8, 16, 32>;

struct Shape {
  int block_size = 256, lanes = 8;
};

template <int lanes, typename T>
__global__ void sum_segments(std::int64_t m, const std::int32_t* __restrict__ o, const T* __restrict__ a,
                             T* __restrict__ y) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t j = thread / lanes;
  const int lane = static_cast<int>(thread % lanes);
  const std::int64_t begin = j < m ? o[j] : 0, end = j < m ? o[j + 1] : 0;
  T sum = 0;
  for (std::int64_t i = begin + lane; i < end; i += lanes) sum += a[i];
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (j < m && lane == 0) y[j] = sum;
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t m = call.problem.extents.x;
  Lanes::with(shape.lanes, [&]<int lanes>() {
    sum_segments<lanes><<<blocks_for(m * lanes, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
        m, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant segmented_cuda_lanes() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "2 to 32 lanes of a warp a segment";
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, BlockSizes::list()}, {"lanes", &Shape::lanes, Lanes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
