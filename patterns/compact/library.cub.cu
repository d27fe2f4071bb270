#include <cub/device/device_select.cuh>

#include "suite/variant.hpp"

namespace sextant {
namespace {

struct State {
  std::size_t bytes = 0;
  void* storage = nullptr;
};

struct NotNegative {
  template <typename T>
  __host__ __device__ bool operator()(const T& value) const {
    return value >= T(0);
  }
};

template <typename T>
cudaError_t select(const Call& call, State& state) {
  return cub::DeviceSelect::If(state.storage, state.bytes, call.array<const T>(0), call.array<T>(1),
                               call.array<std::int32_t>(2), call.problem.extents.x, NotNegative{},
                               static_cast<cudaStream_t>(call.stream));
}

template <typename T>
void launch(const Call& call) {
  select<T>(call, *static_cast<State*>(call.state));
}

// Without storage CUB only says how much it needs.
cudaError_t ask(const Call& call, State& state) {
  switch (call.problem.type) {
    case ElementType::float32:
      return select<float>(call, state);
    case ElementType::float64:
      return select<double>(call, state);
    case ElementType::int32:
      return select<std::int32_t>(call, state);
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

Variant compact_library_cub() {
  Variant variant;
  variant.description = "CUB DeviceSelect::If";
  variant.home = Home::cuda;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
