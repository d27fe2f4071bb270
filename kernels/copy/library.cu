#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::size_t bytes =
      static_cast<std::size_t>(call.problem.extents.x) * element_size(call.problem.type);
  cudaMemcpyAsync(call.array<void>(1), call.array<void>(0), bytes, cudaMemcpyDeviceToDevice, stream_of(call));
}

}  // namespace

std::vector<Variant> copy_library_cu() {
  return {{.name = "cuda_memcpy",
           .description = "cudaMemcpyAsync from device to device",
           .memory_space = MemorySpace::cuda,
           .launch = {.float32 = launch, .float64 = launch}}};
}

}  // namespace sextant
