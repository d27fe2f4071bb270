#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void reduction_shared_tree(std::int64_t n, const T* a, T* sum) {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  T* partial = reinterpret_cast<T*>(shared_bytes);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? a[i] : T(0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const auto grid = static_cast<unsigned>((n + block - 1) / block);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  cudaMemsetAsync(call.array<T>(1), 0, sizeof(T), stream);
  reduction_shared_tree<T>
      <<<grid, block, block * sizeof(T), stream>>>(n, call.array<const T>(0), call.array<T>(1));
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= 32'768) block.block_size = 512;
}

}  // namespace

Variant reduction_cuda_shared_tree() {
  Variant variant;
  variant.description = "the study's form: a shared-memory tree a block, its partial added atomically";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
