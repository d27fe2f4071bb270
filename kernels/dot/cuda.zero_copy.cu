// The kernel reads the page-locked host arrays itself: no buffer on the device, no copies to overlap, and the
// same bytes over the bus. Pays where each element is read once.
#include "pinned.hpp"
#include "products.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// The choices are half a block to four for each of the 132 multiprocessors of an H200.
struct Grid {
  int blocks = 264;
};

struct State {
  dot::PinnedInputs inputs;
  void* boxes = nullptr;  // on the device
  void* sum = nullptr;    // page-locked
};

template <typename T>
void launch(const Call& call) {
  const State& state = *static_cast<const State*>(call.state);
  const void* inputs[2];
  for (int i = 0; i < 2; ++i) {
    void* seen = nullptr;
    cudaHostGetDevicePointer(&seen, call.arrays[i], 0);
    inputs[i] = seen;
  }
  dot::launch_fused<T, 512, 4>(call.problem.extents.x, static_cast<const T*>(inputs[0]),
                               static_cast<const T*>(inputs[1]), static_cast<T*>(state.sum),
                               static_cast<reduction::Box<T>*>(state.boxes), call.tuned<Grid>().blocks,
                               nullptr);
  if (cudaStreamSynchronize(nullptr) == cudaSuccess) *call.array<T>(2) = *static_cast<const T*>(state.sum);
}

void release(void* pointer) {
  auto* state = static_cast<State*>(pointer);
  state->inputs.unpin();
  cudaFree(state->boxes);
  cudaFreeHost(state->sum);
  delete state;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const std::size_t boxes = call.tuned<Grid>().blocks * sizeof(reduction::Box<double>);
  const char* problem = nullptr;
  if (!state->inputs.pin(call))
    problem = "the system does not page-lock this much memory";
  else if (cudaMalloc(&state->boxes, boxes) != cudaSuccess ||
           cudaMemset(state->boxes, 0, boxes) != cudaSuccess ||
           cudaMallocHost(&state->sum, sizeof(double)) != cudaSuccess)
    problem = "no memory for the blocks' partial sums";
  if (problem) {
    cudaGetLastError();  // a failed allocation must not be found by a later check
    release(state);
    return problem;
  }
  *pointer = state;
  return nullptr;
}

}  // namespace

Variant dot_cuda_zero_copy() {
  Variant variant;
  variant.description = "one kernel that reads page-locked host memory over the bus";
  variant.home = Home::host;
  variant.tunables = tunables<Grid>({{"blocks", &Grid::blocks, {66, 132, 264, 528}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
