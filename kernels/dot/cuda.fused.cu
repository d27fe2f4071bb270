// The time is that of reading both arrays. An H200 read 4545 GB/s of doubles in BabelStream's dot and 4592
// GB/s in a fill: to be expected from 2^28 elements on is at least 4450 GB/s, and at 2^24 doubles 60 µs, of
// which 2 to 3 µs are the launch and the last block's wait.
#include "products.cuh"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using Blocks = Choices<256, 512, 1024>;
using Loads = Choices<1, 2, 4>;  // of each array

template <typename T>
void launch(const Call& call) {
  Blocks::with(call.tuning[0], [&]<int block>() {
    Loads::with(call.tuning[1], [&]<int loads>() {
      dot::launch_fused<T, block, loads>(
          call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
          static_cast<reduction::Box<T>*>(call.state), call.tuning[2], stream_of(call));
    });
  });
}

// As the sum's (../reduction/cuda.fused.cu), where a byte is a byte of either array: half the loads of each.
void adapt(const Problem& problem, int* tuning) {
  struct Step {
    std::int64_t bytes;
    int block, loads, blocks;
  };
  constexpr Step steps[] = {{100'000, 512, 4, 1},
                            {1'000'000, 256, 4, 66},
                            {2'000'000, 256, 4, 132},
                            {100'000'000, 512, 2, 264},
                            {INT64_MAX, 512, 1, 1056}};
  const std::int64_t bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  for (const Step& step : steps) {
    if (bytes > step.bytes) continue;
    tuning[0] = step.block;
    tuning[1] = step.loads;
    tuning[2] = step.blocks;
    return;
  }
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = call.tuning[2] * sizeof(reduction::Box<double>);
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
  variant.tunables = {{"block_size", Blocks::list(), 512},
                      {"loads", Loads::list(), 2},
                      {"blocks", {1, 66, 132, 264, 528, 1056, 4224}, 264}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.workspace = [](const Problem&, const int* tuning) {
    return static_cast<std::int64_t>(tuning[2] * sizeof(reduction::Box<double>));
  };
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
