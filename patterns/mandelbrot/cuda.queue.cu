// Warps take the next tile as they become free.
#include "queue.cuh"

namespace sextant {
namespace {

__global__ void count_all(int w, std::uint32_t across, std::int64_t tiles, int limit,
                          mandelbrot::Counter* next, const std::int32_t* __restrict__ view,
                          std::int32_t* __restrict__ count) {
  const unsigned lane = threadIdx.x % 32;
  for (;;) {
    mandelbrot::Counter tile = 0;
    if (lane == 0) tile = atomicAdd(next, mandelbrot::Counter{1});
    tile = __shfl_sync(~0u, tile, 0);
    if (static_cast<std::int64_t>(tile) >= tiles) return;
    mandelbrot::do_lane(w, across, static_cast<std::int64_t>(tile) * 32 + lane, limit, view, count);
    __syncwarp();
  }
}

void launch(const Call& call) {
  const std::int64_t w = call.problem.extents.x;
  const auto crew = call.tuned<mandelbrot::Crew>();
  count_all<<<static_cast<unsigned>(crew.blocks), crew.block_size, 0, stream_of(call)>>>(
      static_cast<int>(w), mandelbrot::tiles_across(w), mandelbrot::tiles_of(w),
      mandelbrot::limit_of(call.problem), mandelbrot::cleared_counter(call),
      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

}  // namespace

Variant mandelbrot_cuda_queue() {
  Variant variant = mandelbrot::queue_variant("warps take the next tile of 8 x 4 pixels as they become free");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
