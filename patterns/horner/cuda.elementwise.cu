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
__global__ void evaluate(std::int64_t n, int degree, const T* __restrict__ c, const T* __restrict__ x,
                         T* __restrict__ y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = c[degree];
  for (int k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
  y[i] = sum;
}

template <typename T>
void launch(const Call& call) {
  const int block = call.tuned<Block>().block_size;
  evaluate<<<blocks_for(call.problem.extents.x, block), block, 0, stream_of(call)>>>(
      call.problem.extents.x, static_cast<int>(horner::degree_of(call.problem)), call.array<const T>(0),
      call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant horner_cuda_elementwise() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one value a thread, coefficients from caches";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
