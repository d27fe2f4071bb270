// Boxes that the multiprocessors' shared memory holds: resident.cuh has the kernel.
#include "resident.cuh"

namespace sextant {
namespace {

using Rows = Choices<1, 2>;

struct State {
  void* workspace = nullptr;
  unsigned* done = nullptr;  // two counters for each block
};

void release(void* held) {
  auto* state = static_cast<State*>(held);
  if (!state) return;
  cudaFree(state->workspace);
  cudaFree(state->done);
  delete state;
}

const char* prepare(const Call& call, void** held) {
  auto* state = new State;
  *held = state;
  const char* reason = heat3d::prepare_device(call, &state->workspace);
  if (!reason && cudaMalloc(&state->done, 2 * heat3d::multiprocessors() * sizeof(unsigned)) != cudaSuccess) {
    cudaGetLastError();
    reason = "no device memory for the blocks' counters";
  }
  if (!reason) return nullptr;
  release(state);
  *held = nullptr;
  return reason;
}

template <typename R>
std::size_t shared_bytes(const Problem& problem) {
  return static_cast<std::size_t>(R::groups * R::planes_of(problem.extents.z) * R::plane) *
         element_size(problem.type);
}

// Calls action.operator()<radius, length, rows, tight, chunk>() with what the problem and the tuning ask for:
// vectors of 16 bytes where every row's start is aligned for them.
template <typename Action>
void with_kernel(const Problem& problem, const int* tuning, Action action) {
  const int longest = 16 / static_cast<int>(element_size(problem.type));
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    const auto choose = [&]<int length, int rows>() {
      using R = heat3d::Resident<radius, length, rows, false, 2>;
      constexpr bool saves = radius == 4;
      if (R::planes_of(problem.extents.z) < 16)  // a group's; too few for chunks of four
        action.template operator()<radius, length, rows, false, 2>();
      else if (!saves || shared_bytes<R>(problem) <= heat3d::most_shared_memory)
        action.template operator()<radius, length, rows, false, 4>();
      else
        action.template operator()<radius, length, rows, saves, 4>();
    };
    if (problem.extents.x % longest != 0)
      choose.template operator()<1, 2>();
    else
      Rows::with(tuning[0], [&]<int rows>() {
        Choices<2, 4>::with(longest, [&]<int length>() { choose.template operator()<length, rows>(); });
      });
  });
}

const char* constraint(const Problem& problem, const int* tuning) {
  const char* reason = nullptr;
  with_kernel(problem, tuning, [&]<int radius, int length, int rows, bool tight, int chunk>() {
    using R = heat3d::Resident<radius, length, rows, tight, chunk>;
    const std::int64_t tiles =
        std::int64_t{blocks_for(problem.extents.x, R::width)} * blocks_for(problem.extents.y, R::height);
    if (shared_bytes<R>(problem) > heat3d::most_shared_memory || tiles > heat3d::multiprocessors())
      reason = "the box does not fit into the multiprocessors' shared memory";
  });
  return reason;
}

template <int radius, int length, int rows, bool tight, int chunk, typename T>
void launch_tiles(const Call& call) {
  using R = heat3d::Resident<radius, length, rows, tight, chunk>;
  const Extents& box = call.problem.extents;
  const auto* state = static_cast<const State*>(call.state);
  const auto kernel = heat3d::resident<radius, length, rows, tight, chunk, T>;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks_for(box.x, R::width), blocks_for(box.y, R::height));
  config.blockDim = dim3(R::all_threads);
  config.dynamicSmemBytes = shared_bytes<R>(call.problem);
  config.stream = stream_of(call);
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  config.attrs = &together;
  config.numAttrs = 1;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(config.dynamicSmemBytes));
  cudaMemsetAsync(state->done, 0, 2 * config.gridDim.x * config.gridDim.y * sizeof(unsigned), config.stream);
  cudaLaunchKernelEx(&config, kernel, heat3d::Box(box), R::planes_of(box.z),
                     static_cast<int>(heat3d::steps_of(call.problem)), call.array<const T>(0),
                     call.array<T>(1), static_cast<T*>(state->workspace), state->done);
}

template <typename T>
void launch(const Call& call) {
  with_kernel(call.problem, call.tuning, [&]<int radius, int length, int rows, bool tight, int chunk>() {
    if constexpr (length == 1 || length == vector_length<T>)
      launch_tiles<radius, length, rows, tight, chunk, T>(call);
  });
}

}  // namespace

Variant heat3d_cuda_resident() {
  Variant variant = heat3d::device_variant(
      "the box stays in shared memory over all steps, blocks tell neighbours of their faces: small boxes");
  variant.tunables = {{"rows", Rows::list(), 2}};
  variant.adapt = [](const Problem& problem, int* tuning) {  // what was faster on an H200
    tuning[0] = heat3d::radius_of(problem) <= 2 && problem.extents.z <= 32 ? 1 : 2;
  };
  variant.constraint = constraint;
  variant.prepare = prepare;
  variant.release = release;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
