#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_size = 512;
};

template <typename T>
__global__ void triad_elementwise(std::int64_t n, const T* a, const T* b, T* c, T s) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const auto grid = static_cast<unsigned>((n + block - 1) / block);
  triad_elementwise<T><<<grid, block, 0, static_cast<cudaStream_t>(call.stream)>>>(
      n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2), static_cast<T>(triad::scalar));
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{8} << 20)) block.block_size = 256;
}

}  // namespace

Variant triad_cuda_elementwise() {
  Variant variant;
  variant.description = "the study's form: one element a thread";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
