#include "loop.hpp"
#include "task_graph.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

// The form one writes first: a launch a column. Each block finds the column's root by itself.
namespace columns {

struct Block {
  int block_size = 128;
};

// Column j, a row a thread; row j's elements above the diagonal become 0.
template <typename T>
__global__ void factor_column(std::int64_t n, std::int64_t j, const T* __restrict__ a, T* l) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i < j) {
    l[i * n + j] = 0;
    return;
  }
  T square = a[j * n + j], sum = a[i * n + j];
  for (std::int64_t k = 0; k < j; ++k) {
    const T mine = l[j * n + k];
    square -= mine * mine;
    sum -= l[i * n + k] * mine;
  }
  l[i * n + j] = i == j ? sqrt(square) : sum / sqrt(square);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  for (std::int64_t j = 0; j < n; ++j)
    factor_column<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, j, call.array<const T>(0),
                                                                       call.array<T>(1));
}

}  // namespace columns

namespace task_graph {

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

}  // namespace task_graph

}  // namespace

std::vector<Variant> cholesky_cuda() {
return {
{.name = "columns",
.description = "the form one writes first: a launch a column, a row a thread",
.memory_space = MemorySpace::cuda,
.tunables = tunables<columns::Block>({{"block_size", &columns::Block::block_size, BlockSizes::list()}}),
.launch = SEXTANT_FLOAT_DOUBLE(columns::launch)},
{.name = "task_graph",
.description = "one launch, squares of 64 x 64 in registers of blocks that wait for the tiles they need, not for all",
.memory_space = MemorySpace::cuda,
.launch = SEXTANT_FLOAT_DOUBLE(task_graph::launch),
.prepare = task_graph::prepare,
.release = [](void* state) { delete static_cast<task_graph::State*>(state); },
.workspace = task_graph::workspace},
};
}

}  // namespace sextant
