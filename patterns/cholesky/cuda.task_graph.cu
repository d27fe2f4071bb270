#include "loop.hpp"
#include "task_graph.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

struct State {
  WaitFlag waits;
  void* memory = nullptr;
  ~State() { cudaFree(memory); }
};

template <typename T>
void launch(const Call& call) {
  int n = static_cast<int>(call.problem.extents.x);
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
  const auto& state = *static_cast<const State*>(call.state);
  cholesky::Tiles<T> tiles(state.memory, n, state.waits.patience());
  void* arguments[] = {&n, &a, &tiles, &l};
  const int side = tiles.tiles / 2, blocks = std::min(side * (side + 1) / 2, multiprocessors());
  cudaMemsetAsync(tiles.flags, 0, static_cast<std::size_t>(tiles.flag_bytes()), stream_of(call));
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(cholesky::factor_squares<T>),
                              dim3(static_cast<unsigned>(blocks)), dim3(cholesky::threads), arguments,
                              sizeof(cholesky::Shared<T>), stream_of(call));
}

std::int64_t workspace(const Problem& problem, const int*) {
  const auto n = static_cast<int>(problem.extents.x);
  return problem.type == ElementType::float64 ? cholesky::Tiles<double>(nullptr, n, {}).bytes()
                                              : cholesky::Tiles<float>(nullptr, n, {}).bytes();
}

template <typename T>
cudaError_t allow_shared() {
  return cudaFuncSetAttribute(cholesky::factor_squares<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(sizeof(cholesky::Shared<T>)));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const char* problem = nullptr;
  if ((call.problem.type == ElementType::float64 ? allow_shared<double>() : allow_shared<float>()) !=
      cudaSuccess)
    problem = "this GPU gives a block less shared memory than solved tiles of two steps take";
  else if (mine->waits.make() != cudaSuccess ||
           cudaMalloc(&mine->memory, static_cast<std::size_t>(workspace(call.problem, nullptr))) !=
               cudaSuccess)
    problem = "no device memory for tiles on their way between blocks";
  if (!problem) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // it must not be found by a later check
  delete mine;
  return problem;
}

}  // namespace

Variant cholesky_cuda_task_graph() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch, squares of 64 x 64 in registers of blocks that wait for the tiles they need, not for all";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
