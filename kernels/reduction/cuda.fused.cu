#include "fused.cuh"
#include "fused_grid.hpp"

namespace sextant {
namespace {

using reduction::Grid;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto grid = call.tuned<Grid>();
  reduction::Blocks::with(grid.block_size, [&]<int block>() {
    reduction::Loads::with(grid.loads, [&]<int loads>() {
      reduction::fused<T, block, loads><<<grid.blocks, block, 0, static_cast<cudaStream_t>(call.stream)>>>(
          n, call.array<const T>(0), call.array<T>(1), static_cast<reduction::Box<T>*>(call.state));
    });
  });
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
  variant.tunables = reduction::grid_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<reduction::fit_grid>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
