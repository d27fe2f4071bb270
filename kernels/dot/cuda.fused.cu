// The time is that of reading both arrays. An H200 read 4545 GB/s of doubles in BabelStream's dot and 4592
// GB/s in a fill: to be expected from 2^28 elements on is at least 4450 GB/s, and at 2^24 doubles 60 µs, of
// which 2 to 3 µs are the launch and the last block's wait.
#include "products.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using BlockChoices = Choices<256, 512, 1024>;
using Loads = Choices<1, 2, 4>;

struct Shape {
  int block_size = 512;
  int loads = 2;  // of each array, under way in a thread
  int blocks = 264;
};

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  BlockChoices::with(shape.block_size, [&]<int block>() {
    Loads::with(shape.loads, [&]<int loads>() {
      dot::launch_fused<T, block, loads>(
          call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
          static_cast<reduction::Box<T>*>(call.state), shape.blocks, stream_of(call));
    });
  });
}

// As the sum's (../reduction/cuda.fused.cu), where a byte is a byte of either array: half the loads of each. The numbers of
// blocks, here and among the choices, suit the 132 multiprocessors of an H200, where they were the fastest
// (data/h200/reductions.txt).
void adapt(const Problem& problem, Shape& shape) {
  struct Step {
    std::int64_t bytes;  // at most
    Shape shape;
  };
  constexpr Step steps[] = {{100'000, {512, 2, 1}},      {200'000, {1024, 2, 1}},
                            {600'000, {256, 2, 66}},     {20'000'000, {256, 2, 132}},
                            {30'000'000, {256, 2, 264}}, {1'000'000'000, {1024, 2, 264}},
                            {INT64_MAX, {1024, 2, 8448}}};
  const std::int64_t bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  for (const Step& step : steps) {
    if (bytes > step.bytes) continue;
    shape = step.shape;
    return;
  }
}

// One box a block.
std::int64_t workspace(const Problem&, const Shape& shape) {
  return shape.blocks * static_cast<std::int64_t>(sizeof(reduction::Box<double>));
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = workspace(call.problem, call.tuned<Shape>());
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
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockChoices::list()},
                                      {"loads", &Shape::loads, Loads::list()},
                                      {"blocks", &Shape::blocks, {1, 66, 132, 264, 528, 1056, 4224, 8448}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.workspace = by_name<workspace>;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
