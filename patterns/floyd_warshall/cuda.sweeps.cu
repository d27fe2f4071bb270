// The form one writes first: a launch for each vertex, a pair a thread. Row k and column k do not change in theirs, as d[k][k] is 0.
#include "min_plus.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void sweep(std::int64_t n, std::int64_t k, T* d) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n || i == k) return;
  const T over = d[i * n + k] + d[k * n + j];
  if (over < d[i * n + j] && j != k) d[i * n + j] = over;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const dim3 grid(blocks_for(n, block), static_cast<unsigned>(n));
  T* d = call.array<T>(1);
  cudaMemcpyAsync(d, call.array<const T>(0), static_cast<std::size_t>(n * n) * sizeof(T),
                  cudaMemcpyDeviceToDevice, stream_of(call));
  for (std::int64_t k = 0; k < n; ++k) sweep<<<grid, block, 0, stream_of(call)>>>(n, k, d);
}

const char* refuse(const Problem& problem, const Block&) {
  return problem.extents.y > 65535 ? "more than 65535 blocks along y" : nullptr;
}

}  // namespace

Variant floyd_warshall_cuda_sweeps() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a launch for each vertex, a pair a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
