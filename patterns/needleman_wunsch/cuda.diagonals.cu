// The form one writes first: a launch a diagonal, a cell a thread.
#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

__global__ void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= n) h[i] = h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
}

// Cells (i, d - i) from row `first` to `last`.
__global__ void fill_diagonal(std::int64_t n, std::int64_t d, std::int64_t first, std::int64_t last,
                              const std::int32_t* __restrict__ a, const std::int32_t* __restrict__ b,
                              std::int32_t* h) {
  const std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= last) h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  auto* h = call.array<std::int32_t>(2);
  fill_borders<<<blocks_for(n + 1, block), block, 0, stream_of(call)>>>(n, h);
  for (std::int64_t d = 2; d <= 2 * n; ++d) {
    const std::int64_t first = std::max<std::int64_t>(1, d - n), last = std::min(n, d - 1);
    fill_diagonal<<<blocks_for(last - first + 1, block), block, 0, stream_of(call)>>>(
        n, d, first, last, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1), h);
  }
}

}  // namespace

Variant needleman_wunsch_cuda_diagonals() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a launch a diagonal, a cell a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
