// The time is that of reading both arrays. An H200 read 4545 GB/s of doubles in BabelStream's dot and 4592
// GB/s in a fill: to be expected from 2^28 elements on is at least 4450 GB/s, and at 2^24 doubles 60 µs, of
// which 2 to 3 µs are the launch and the last block's wait.
#include "fused_grid.hpp"
#include "products.cuh"

namespace sextant {
namespace {

using dot::Grid;

template <typename T>
void launch(const Call& call) {
  const auto grid = call.tuned<Grid>();
  dot::Blocks::with(grid.block_size, [&]<int block>() {
    dot::Loads::with(grid.loads, [&]<int loads>() {
      dot::launch_fused<T, block, loads>(
          call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
          static_cast<reduction::Box<T>*>(call.state), grid.blocks, stream_of(call));
    });
  });
}

// One box a block.
std::int64_t workspace(const Problem&, const Grid& grid) {
  return grid.blocks * static_cast<std::int64_t>(sizeof(reduction::Box<double>));
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = workspace(call.problem, call.tuned<Grid>());
  if (cudaMalloc(state, bytes) == cudaSuccess &&
      cudaMemsetAsync(*state, 0, bytes, stream_of(call)) == cudaSuccess &&
      cudaStreamSynchronize(stream_of(call)) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the blocks' partial sums";
}

}  // namespace

Variant dot_cuda_fused() {
  Variant variant;
  variant.description = "one launch: 16-byte loads, shuffles, partials posted to block 0";
  variant.home = Home::cuda;
  variant.tunables = dot::grid_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<dot::fit_grid>;
  variant.prepare = prepare;
  variant.workspace = by_name<workspace>;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
