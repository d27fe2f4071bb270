#include "loop.hpp"
#include "suite/tunables.hpp"
#include "tiles.hpp"
#include "toolbox/cuda/vector.cuh"

// Launch shape of the variants whose threads take work from a global counter. The default is as many threads
// as an H200 can hold at once.
namespace sextant::mandelbrot {

struct Crew {
  int block_size = 128, blocks = 2112;
};

using Counter = unsigned long long;

inline const char* prepare_counter(const Call&, void** state) {
  if (cudaMalloc(state, sizeof(Counter)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for a counter";
}

inline Counter* cleared_counter(const Call& call) {
  cudaMemsetAsync(call.state, 0, sizeof(Counter), stream_of(call));
  return static_cast<Counter*>(call.state);
}

inline Variant queue_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Crew>(
      {{"block_size", &Crew::block_size, {64, 128, 256}}, {"blocks", &Crew::blocks, {132, 528, 1056, 2112}}});
  variant.prepare = prepare_counter;
  variant.release = [](void* state) { cudaFree(state); };
  variant.workspace = [](const Problem&, const int*) { return static_cast<std::int64_t>(sizeof(Counter)); };
  return variant;
}

}  // namespace sextant::mandelbrot

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

// Each warp takes the next tile when it has finished one.
namespace queue {

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

Variant form() {
  Variant variant =
      mandelbrot::queue_variant("each warp takes the next tile of 8 x 4 pixels from a global counter");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace queue

// Each lane takes the next pixel as soon as it has finished one, so that it does not wait for the slowest
// lane of its warp.
namespace refill {

// number of steps between two checks for finished lanes
constexpr int together = 16;

// The pixel that a lane is computing.
struct Pixel {
  mandelbrot::Counter number;
  mandelbrot::Place c;
  std::int32_t zr, zi, steps;
};

__device__ __forceinline__ Pixel next_pixel(mandelbrot::Counter* next, unsigned w, const std::int32_t* view) {
  Pixel pixel = {atomicAdd(next, mandelbrot::Counter{1}), {0, 0}, 0, 0, 0};
  if (pixel.number < mandelbrot::Counter{w} * w)
    pixel.c =
        mandelbrot::place_of(view, static_cast<int>(pixel.number % w), static_cast<int>(pixel.number / w));
  return pixel;
}

__global__ void count_all(unsigned w, int limit, mandelbrot::Counter* next,
                          const std::int32_t* __restrict__ view, std::int32_t* __restrict__ count) {
  Pixel pixel = next_pixel(next, w, view);
  while (pixel.number < mandelbrot::Counter{w} * w) {
    bool stays = true;
    for (int s = 0; s < together && stays; ++s) {
      stays = pixel.steps < limit && mandelbrot::step(pixel.c, pixel.zr, pixel.zi);
      pixel.steps += stays;
    }
    if (!stays) {
      count[pixel.number] = pixel.steps;
      pixel = next_pixel(next, w, view);
    }
  }
}

void launch(const Call& call) {
  const auto crew = call.tuned<mandelbrot::Crew>();
  count_all<<<static_cast<unsigned>(crew.blocks), crew.block_size, 0, stream_of(call)>>>(
      static_cast<unsigned>(call.problem.extents.x), mandelbrot::limit_of(call.problem),
      mandelbrot::cleared_counter(call), call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

Variant form() {
  Variant variant =
      mandelbrot::queue_variant("lanes that have finished a pixel take the next one from a global counter");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace refill

namespace rows {

__global__ void count_all(int w, int limit, const std::int32_t* __restrict__ view,
                          std::int32_t* __restrict__ count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= std::int64_t{w} * w) return;
  const int y = static_cast<int>(i / w), x = static_cast<int>(i - std::int64_t{y} * w);
  count[i] = mandelbrot::steps_of(mandelbrot::place_of(view, x, y), limit);
}

void launch(const Call& call) {
  const int block = call.tuned<Block>().block_size;
  count_all<<<blocks_for(call.problem.extents.count(), block), block, 0, stream_of(call)>>>(
      static_cast<int>(call.problem.extents.x), mandelbrot::limit_of(call.problem),
      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

}  // namespace rows

namespace tiles {

__global__ void count_all(int w, std::uint32_t across, int limit, const std::int32_t* __restrict__ view,
                          std::int32_t* __restrict__ count) {
  mandelbrot::do_lane(w, across, static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, limit,
                      view, count);
}

void launch(const Call& call) {
  const std::int64_t w = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  count_all<<<blocks_for(mandelbrot::tiles_of(w) * 32, block), block, 0, stream_of(call)>>>(
      static_cast<int>(w), mandelbrot::tiles_across(w), mandelbrot::limit_of(call.problem),
      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

}  // namespace tiles

}  // namespace

std::vector<Variant> mandelbrot_cuda() {
  return {
      named("queue", queue::form()),
      named("refill", refill::form()),
      {.name = "rows",
       .description = "the plain form: one pixel per thread, row by row",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}}),
       .launch = {.int32 = rows::launch}},
      {.name = "tiles",
       .description = "one pixel per thread; each warp computes a tile of 8 x 4 pixels",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}}),
       .launch = {.int32 = tiles::launch}},
  };
}

}  // namespace sextant
