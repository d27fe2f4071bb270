// The form one writes first: a launch a column. Each block finds the column's root by itself.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

// Column j, a row a thread; row j's elements above the diagonal become 0.
template <typename T>
__global__ void factor_column(std::int64_t n, std::int64_t j, const T* __restrict__ a, T* l) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i < j) {
    l[i * n + j] = 0;
    return;
  }
  T square = a[j * n + j], sum = a[i * n + j];
  for (std::int64_t k = 0; k < j; ++k) {
    const T mine = l[j * n + k];
    square -= mine * mine;
    sum -= l[i * n + k] * mine;
  }
  l[i * n + j] = i == j ? sqrt(square) : sum / sqrt(square);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  for (std::int64_t j = 0; j < n; ++j)
    factor_column<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, j, call.array<const T>(0),
                                                                       call.array<T>(1));
}

}  // namespace

Variant cholesky_cuda_columns() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a launch a column, a row a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
