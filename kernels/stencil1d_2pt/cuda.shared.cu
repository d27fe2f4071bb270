#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory) + 1;  // tile[-1] and tile[blockDim.x] are the halo
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + t;
  if (i < n) {
    tile[t] = b[i];
    if (t == 0 && i > 0) tile[-1] = b[i - 1];
    if (t == static_cast<int>(blockDim.x) - 1 && i + 1 < n) tile[t + 1] = b[i + 1];
  }
  __syncthreads();
  if (i < n) c[i] = i == 0 || i == n - 1 ? tile[t] : static_cast<T>(0.5) * (tile[t - 1] + tile[t + 1]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  shared<<<blocks_for(n, block), block, (block + 2) * sizeof(T), stream_of(call)>>>(n, call.array<const T>(0),
                                                                                    call.array<T>(1));
}

}  // namespace

Variant stencil1d_2pt_cuda_shared() {
  Variant variant;
  variant.description = "the study's form: tile and halo in shared memory, one point a thread";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
