// What the forms share whose threads go down four columns of a strip of rows, with the sums of the rows around them in registers (slide.hpp):
// the strips, the weights in constant memory, the launch.
#pragma once

#include "loop.hpp"
#include "slide.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::conv2d {

using Blocks = Choices<64, 128, 256>;
constexpr int columns = 4;  // of a thread

struct Strip {
  int block_size = 128, rows = 64;
};

// Of float or double, of the radius of the call.
static __constant__ double constant_weights[15 * 15];

template <typename T>
__device__ __forceinline__ const T* weights() {
  return reinterpret_cast<const T*>(constant_weights);
}

// kernel_of.operator()<R, block>() is the kernel of a radius and a block size: (n, rows of a strip, x, y).
template <typename T, typename KernelOf>
void launch_strips(const Call& call, const KernelOf& kernel_of) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto strip = call.tuned<Strip>();
  const auto taps = static_cast<std::size_t>(width_of(call.problem) * width_of(call.problem));
  cudaMemcpyToSymbolAsync(constant_weights, call.arrays[1], taps * sizeof(T), 0, cudaMemcpyDeviceToDevice,
                          stream_of(call));
  Radii::with(static_cast<int>(radius_of(call.problem)), [&]<int R>() {
    Blocks::with(strip.block_size, [&]<int block>() {
      const auto kernel = kernel_of.template operator()<R, block>();
      kernel<<<dim3(blocks_for(n, block * columns), blocks_for(n, strip.rows)), block, 0, stream_of(call)>>>(
          n, strip.rows, call.array<const T>(0), call.array<T>(2));
    });
  });
}

inline const char* refuse(const Problem& problem, const Strip& strip) {
  return problem.extents.x > std::int64_t{65535} * strip.rows ? "more than 65535 blocks along y" : nullptr;
}

// As many rows as leave some four blocks for each of an H200's 132 multiprocessors: 2R of them are read twice.
inline void adapt(const Problem& problem, Strip& strip) {
  const std::int64_t n = problem.extents.x;
  strip.block_size = n < 1024 ? 64 : 128;
  const std::int64_t across = (n + strip.block_size * columns - 1) / (strip.block_size * columns);
  strip.rows = 8;
  while (strip.rows < 128 && across * (n / (2 * strip.rows)) >= 528) strip.rows *= 2;
}

// A variant in strips without its description and launch.
inline Variant strip_variant() {
  Variant variant;
  variant.home = Home::cuda;
  variant.tunables = tunables<Strip>(
      {{"block_size", &Strip::block_size, Blocks::list()}, {"rows", &Strip::rows, {8, 16, 32, 64, 128}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  return variant;
}

}  // namespace sextant::conv2d
