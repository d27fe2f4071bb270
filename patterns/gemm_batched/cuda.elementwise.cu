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
__global__ void multiply(std::int64_t elements, int m, const T* __restrict__ a, const T* __restrict__ b,
                         T* __restrict__ c) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= elements) return;
  const std::int64_t row = at / m, batch = row / m;
  const T* from_a = a + row * m;
  const T* from_b = b + batch * m * m + (at - row * m);
  T sum = 0;
  for (int k = 0; k < m; ++k) sum += from_a[k] * from_b[k * m];
  c[at] = sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem),
                     elements = gemm_batched::batches_of(call.problem) * m * m;
  const int block = call.tuned<Block>().block_size;
  multiply<<<blocks_for(elements, block), block, 0, stream_of(call)>>>(
      elements, static_cast<int>(m), call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant gemm_batched_cuda_elementwise() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the plain loop, an element of C a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
