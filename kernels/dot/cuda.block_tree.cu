// The talk's form, timed as the talk does, from the first cudaMalloc to the last cudaFree: the only variant
// whose launch allocates, since that is what it is there to show. Copies are of pageable memory; each block
// adds its products in a tree in shared memory, and the host adds the blocks' sums.
#include <vector>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void dot_block_tree(std::int64_t n, const T* a, const T* b, T* sums) {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  T* partial = reinterpret_cast<T*>(shared_bytes);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? a[i] * b[i] : T(0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

// The blocks' sums on the host, in double so that they are aligned for both types.
using Sums = std::vector<double>;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const unsigned grid = blocks_for(n, block);
  const std::size_t bytes = n * sizeof(T);
  T *a = nullptr, *b = nullptr, *sums = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&sums, grid * sizeof(T));
  cudaMemcpy(a, call.arrays[0], bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, call.arrays[1], bytes, cudaMemcpyHostToDevice);
  dot_block_tree<T><<<grid, block, block * sizeof(T)>>>(n, a, b, sums);
  T* host_sums = reinterpret_cast<T*>(static_cast<Sums*>(call.state)->data());
  const cudaError_t status = cudaMemcpy(host_sums, sums, grid * sizeof(T), cudaMemcpyDeviceToHost);
  T sum = 0;
  for (unsigned i = 0; i < grid; ++i) sum += host_sums[i];
  if (status == cudaSuccess) *call.array<T>(2) = sum;  // else it stays poisoned
  cudaFree(sums);
  cudaFree(b);
  cudaFree(a);
}

const char* prepare(const Call& call, void** state) {
  const std::size_t blocks = blocks_for(call.problem.extents.x, call.tuned<Block>().block_size);
  const std::size_t need = element_size(call.problem.type) * (2 * call.problem.extents.x + blocks);
  std::size_t available = 0, total = 0;
  if (cudaMemGetInfo(&available, &total) != cudaSuccess || need > available)
    return "not enough device memory for both arrays";
  *state = new Sums(blocks);
  return nullptr;
}

}  // namespace

Variant dot_cuda_block_tree() {
  Variant variant;
  variant.description = "the talk's form: allocation, copies, a tree a block, sums added on the host";
  variant.home = Home::host;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Sums*>(state); };
  return variant;
}

}  // namespace sextant
