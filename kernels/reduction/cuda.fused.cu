#include "fused.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

using Blocks = Choices<128, 256, 512, 1024>;
using Loads = Choices<2, 4, 8>;

struct Grid {
  int block_size = 512, loads = 4, blocks = 264;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto grid = call.tuned<Grid>();
  Blocks::with(grid.block_size, [&]<int block>() {
    Loads::with(grid.loads, [&]<int loads>() {
      reduction::fused<T, block, loads><<<grid.blocks, block, 0, static_cast<cudaStream_t>(call.stream)>>>(
          n, call.array<const T>(0), call.array<T>(1), static_cast<reduction::Box<T>*>(call.state));
    });
  });
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md): one block while its latency is below that of
// letters, few blocks with many loads each while the data lies in the cache, many blocks from memory. The counts suit its
// 132 multiprocessors. A tuning is chosen before any device is open, so on other GPUs they are where to start from.
void adapt(const Problem& problem, Grid& grid) {
  struct Step {
    std::int64_t bytes;  // at most
    Grid grid;
  };
  constexpr Step steps[] = {
      {50'000, {512, 8, 1}},        {100'000, {512, 4, 1}},       {1'000'000, {256, 4, 66}},
      {3'000'000, {256, 4, 132}},   {6'000'000, {512, 4, 264}},   {10'000'000, {256, 4, 132}},
      {30'000'000, {256, 4, 264}},  {50'000'000, {1024, 2, 264}}, {100'000'000, {512, 4, 264}},
      {500'000'000, {512, 4, 528}}, {INT64_MAX, {512, 4, 8448}}};
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  for (const Step& step : steps) {
    if (bytes > step.bytes) continue;
    grid = step.grid;
    return;
  }
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = call.tuned<Grid>().blocks * sizeof(reduction::Box<double>);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  if (cudaMalloc(state, bytes) == cudaSuccess && cudaMemsetAsync(*state, 0, bytes, stream) == cudaSuccess &&
      cudaStreamSynchronize(stream) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the blocks' partial sums";
}

}  // namespace

Variant reduction_cuda_fused() {
  Variant variant;
  variant.description =
      "one launch: 16-byte loads, shuffles, partials posted to block 0; the same order every time";
  variant.home = Home::cuda;
  variant.tunables = tunables<Grid>({{"block_size", &Grid::block_size, Blocks::list()},
                                     {"loads", &Grid::loads, Loads::list()},
                                     {"blocks", &Grid::blocks, {1, 66, 132, 264, 528, 1056, 4224, 8448}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
