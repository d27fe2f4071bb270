#include "suite/choices.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

template <typename T>
__global__ void columns(std::int64_t n, const T* b, T* c) {
  const std::int64_t x = blockIdx.x, y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (y < n) c[y * n + x] = b[y * n + x];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 block(1, call.tuning[0]);
  const dim3 grid(static_cast<unsigned>(n), blocks_for(n, block.y));
  columns<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant rows_cuda_columns() {
  Variant variant;
  variant.description = "the study's form: blocks of 1 x T threads, one element a thread, down a column";
  variant.home = Home::cuda;
  variant.tunables = {{"block_size", BlockSizes::list(), 256}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_block(problem.extents, 1, tuning[0], 1);
  };
  return variant;
}

}  // namespace sextant
