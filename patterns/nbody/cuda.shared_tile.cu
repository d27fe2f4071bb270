// A block's threads bring as many bodies to shared memory as they are, and all of them read each of these.
#include "pull.cuh"

namespace sextant {
namespace {

using Blocks = Choices<64, 128, 256, 512>;

struct Block {
  int block_size = 128;
};

template <int block, typename T>
__global__ void __launch_bounds__(block) attract(int n, nbody::Bodies<T> all) {
  __shared__ nbody::Body<T> tile[block];
  const int thread = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * block + thread;
  const nbody::Body<T> body = nbody::body_at(all, i, n);
  nbody::Sum<T> sum = {0, 0, 0};
  for (int begin = 0; begin < n; begin += block) {
    tile[thread] = nbody::body_at(all, begin + thread, n);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < block; ++k) nbody::pull_by(tile[k], body, sum);
    __syncthreads();
  }
  nbody::store(all, i, n, sum);
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  Blocks::with(call.tuned<Block>().block_size, [&]<int block>() {
    attract<block><<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, nbody::Bodies<T>(call));
  });
}

}  // namespace

Variant nbody_cuda_shared_tile() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a body a thread, what pulls in tiles in shared memory";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Blocks::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
