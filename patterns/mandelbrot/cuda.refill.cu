// Lanes take the next pixel as they become free, so that none waits long for the others of its warp.
#include "queue.cuh"

namespace sextant {
namespace {

constexpr int together = 16;  // steps until a lane that is free takes its next pixel, with others that are

// A pixel on its way.
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

}  // namespace

Variant mandelbrot_cuda_refill() {
  Variant variant = mandelbrot::queue_variant("lanes take the next pixel as they become free");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
