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
__global__ void multiply(std::int64_t m, const std::int32_t* __restrict__ row,
                         const std::int32_t* __restrict__ col, const T* __restrict__ val,
                         const T* __restrict__ x, T* __restrict__ y) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= m) return;
  T sum = 0;
  for (std::int32_t e = row[r]; e < row[r + 1]; ++e) sum += val[e] * x[col[e]];
  y[r] = sum;
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  const std::int64_t m = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  multiply<<<blocks_for(m, block), block, 0, stream_of(call)>>>(m, a.row, a.col, a.val, a.x, a.y);
}

}  // namespace

Variant spmv_cuda_scalar() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a row a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
