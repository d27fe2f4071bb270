#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

template <typename T>
__global__ void increment_elementwise(std::int64_t n, T* a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuning[0];
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    increment_elementwise<T><<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<T>(0));
}

}  // namespace

Variant increment_cuda_elementwise() {
  Variant variant;
  variant.description = "a kernel a loop, one element a thread";
  variant.home = Home::cuda;
  variant.tunables = {{"block_size", BlockSizes::list(), 1024}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>, .int32 = launch<std::int32_t>};
  return variant;
}

}  // namespace sextant
