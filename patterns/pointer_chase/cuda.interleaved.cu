#include "chase.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Chains = Choices<2, 4, 8, 16>;

struct Shape {
  int block_size = 64, chains_per_thread = 2;
};

template <int width>
__global__ void chase(std::int64_t chains, std::int64_t steps, const std::int32_t* __restrict__ next,
                      const std::int32_t* __restrict__ start, std::int32_t* __restrict__ last) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t threads = (chains + width - 1) / width;
  if (thread < threads) pointer_chase::walk_some<width>(thread, threads, chains, steps, next, start, last);
}

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
  const auto shape = call.tuned<Shape>();
  Chains::with(shape.chains_per_thread, [&]<int width>() {
    const unsigned blocks = blocks_for((chains + width - 1) / width, shape.block_size);
    chase<width><<<blocks, shape.block_size, 0, stream_of(call)>>>(
        chains, pointer_chase::steps_of(call.problem), call.array<const std::int32_t>(0),
        call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
  });
}

}  // namespace

Variant pointer_chase_cuda_interleaved() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "several chains of a thread on their way";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockSizes::list()},
                                      {"chains_per_thread", &Shape::chains_per_thread, Chains::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
