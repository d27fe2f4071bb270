#include <cub/device/device_scan.cuh>

#include "suite/variant.hpp"

namespace sextant {
namespace {

struct State {
  std::size_t bytes = 0;
  void* storage = nullptr;
};

template <typename T>
cudaError_t scan(const Call& call, State& state) {
  return cub::DeviceScan::InclusiveSum(state.storage, state.bytes, call.array<const T>(0), call.array<T>(1),
                                       call.problem.extents.x, static_cast<cudaStream_t>(call.stream));
}

template <typename T>
void launch(const Call& call) {
  scan<T>(call, *static_cast<State*>(call.state));
}

// Without storage CUB only says how much it needs.
cudaError_t ask(const Call& call, State& state) {
  switch (call.problem.type) {
    case ElementType::float32:
      return scan<float>(call, state);
    case ElementType::float64:
      return scan<double>(call, state);
    case ElementType::int32:
      return scan<std::int32_t>(call, state);
  }
  return cudaErrorInvalidValue;
}

void release(void* state) {
  cudaFree(static_cast<State*>(state)->storage);
  delete static_cast<State*>(state);
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  if (ask(call, *mine) == cudaSuccess && cudaMalloc(&mine->storage, mine->bytes) == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // a failed allocation must not be found by a later check
  release(mine);
  return "no device memory for CUB's temporary storage";
}

}  // namespace

Variant inclusive_scan_library_cub() {
  Variant variant;
  variant.description = "CUB DeviceScan::InclusiveSum";
  variant.home = Home::cuda;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
