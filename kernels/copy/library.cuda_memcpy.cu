#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::size_t bytes =
      static_cast<std::size_t>(call.problem.extents.x) * element_size(call.problem.type);
  cudaMemcpyAsync(call.array<void>(1), call.array<void>(0), bytes, cudaMemcpyDeviceToDevice, stream_of(call));
}

}  // namespace

Variant copy_library_cuda_memcpy() {
  Variant variant;
  variant.description = "cudaMemcpyAsync from device to device";
  variant.home = Home::cuda;
  variant.launch = {.float32 = launch, .float64 = launch};
  return variant;
}

}  // namespace sextant
