#include <cub/device/device_reduce.cuh>

#include "loop.hpp"

namespace sextant {
namespace {

struct State {
  std::size_t bytes = 0;
  void* storage = nullptr;
};

template <typename T>
cudaError_t sum(const Call& call, State& state) {
  return cub::DeviceReduce::Sum(state.storage, state.bytes, call.array<const T>(0), call.array<T>(1),
                                call.problem.extents.x, static_cast<cudaStream_t>(call.stream));
}

template <typename T>
void launch(const Call& call) {
  sum<T>(call, *static_cast<State*>(call.state));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  // Without storage CUB only says how much it needs.
  const cudaError_t asked =
      call.problem.type == ElementType::float32 ? sum<float>(call, *mine) : sum<double>(call, *mine);
  if (asked != cudaSuccess || cudaMalloc(&mine->storage, mine->bytes) != cudaSuccess) {
    cudaGetLastError();  // a failed allocation must not be found by a later check
    delete mine;
    return "no device memory for CUB's temporary storage";
  }
  *state = mine;
  return nullptr;
}

void release(void* state) {
  cudaFree(static_cast<State*>(state)->storage);
  delete static_cast<State*>(state);
}

}  // namespace

Variant reduction_library_cub() {
  Variant variant;
  variant.description = "CUB DeviceReduce::Sum";
  variant.home = Home::cuda;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
