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
  const std::int64_t packs = n / reduction::Pack<T>::size;
  const std::int64_t share = (packs + grid.blocks - 1) / grid.blocks;
  const std::int64_t chunk = (share + 31) / 32 * 32;  // whole rows of a warp's loads
  Blocks::with(grid.block_size, [&]<int block>() {
    Loads::with(grid.loads, [&]<int loads>() {
      reduction::fused<T, block, loads><<<grid.blocks, block, 0, static_cast<cudaStream_t>(call.stream)>>>(
          n, chunk, call.array<const T>(0), call.array<T>(1), static_cast<reduction::Box<T>*>(call.state));
    });
  });
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md): one block while its latency is below that of
// letters, few blocks with many loads each while the data lies in the cache, many blocks with few loads from
// memory. The counts suit its 132 multiprocessors: half a block, one, two or eight for each. A tuning is
// chosen before any device is open, so on other GPUs they are where to start from.
void adapt(const Problem& problem, Grid& grid) {
  struct Step {
    std::int64_t bytes;
    Grid grid;
  };
  constexpr Step steps[] = {{100'000, {512, 8, 1}},
                            {1'000'000, {256, 8, 66}},
                            {2'000'000, {256, 8, 132}},
                            {100'000'000, {512, 4, 264}},
                            {INT64_MAX, {512, 2, 1056}}};
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
                                     {"blocks", &Grid::blocks, {1, 66, 132, 264, 528, 1056, 4224}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
