#include "keys.cuh"

namespace sextant {
namespace {

template <int items>
__global__ void count(std::int64_t n, const std::int32_t* __restrict__ k, std::int32_t* c) {
  histogram::for_keys<items>(n, k, [c](std::int32_t key, bool counts) {
    if (counts) atomicAdd(&c[key], 1);
  });
}

void launch(const Call& call) {
  const auto shape = call.tuned<histogram::Shape>();
  const unsigned blocks = histogram::blocks_of(call.problem, shape.blocks, shape.block_size);
  histogram::clear_bins(call);
  histogram::Items::with(shape.items_per_thread, [&]<int items>() {
    count<items><<<blocks, shape.block_size, 0, stream_of(call)>>>(
        call.problem.extents.x, call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
  });
}

}  // namespace

Variant histogram_cuda_global_atomic() {
  Variant variant = histogram::shape_variant("atomic additions to the one table in global memory");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
