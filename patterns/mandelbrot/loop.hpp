// mandelbrot: for each c of a grid, the number of steps of z = z^2 + c, from z = 0, until |z| > 2. The
// arithmetic is fixed-point with 28 fractional bits, so that every step gives the same result everywhere.
//
//     for (y = 0; y < w; ++y)
//       for (x = 0; x < w; ++x) {
//         cr = view[0] + x * view[2]; ci = view[1] + y * view[2];
//         zr = zi = 0;
//         for (k = 0; k < limit; ++k) {
//           if (zr * zr + zi * zi > 4) break;
//           (zr, zi) = (zr * zr - zi * zi + cr, 2 * zr * zi + ci);
//         }
//         count[y][x] = k;
//       }
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_MANDELBROT_INLINE __device__ __forceinline__
#else
  #define SEXTANT_MANDELBROT_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::mandelbrot {

inline constexpr int fraction = 28;  // number of fractional bits
// The number 4 in the format of a product, which has twice as many fractional bits.
inline constexpr std::int64_t four = std::int64_t{4} << (2 * fraction);

constexpr std::int32_t limit_of(const Problem& problem) {
  return static_cast<std::int32_t>(problem.parameters[0]);
}

// The complex number c = r + i*sqrt(-1) of a pixel, in fixed point.
struct Place {
  std::int32_t r, i;
};
SEXTANT_MANDELBROT_INLINE Place place_of(const std::int32_t* view, std::int32_t x, std::int32_t y) {
  return {view[0] + x * view[2], view[1] + y * view[2]};
}

// Performs one step of z = z^2 + c. Returns false, and leaves z unchanged, if |z| > 2. All numbers fit in 32
// bits because |z| stays below 6.9.
SEXTANT_MANDELBROT_INLINE bool step(const Place& c, std::int32_t& zr, std::int32_t& zi) {
  const std::int64_t square = std::int64_t{zr} * zr, sum = std::int64_t{zi} * zi + square;
  if (sum > four) return false;
  const std::int64_t product = std::int64_t{zr} * zi;
  zr = static_cast<std::int32_t>((2 * square - sum) >> fraction) + c.r;
  zi = static_cast<std::int32_t>(product >> (fraction - 1)) + c.i;
  return true;
}

SEXTANT_MANDELBROT_INLINE std::int32_t steps_of(const Place& c, std::int32_t limit) {
  std::int32_t zr = 0, zi = 0, k = 0;
  while (k < limit && step(c, zr, zi)) ++k;
  return k;
}

#ifndef __CUDACC__
// Computes row y of the grid. `static`: each including source file compiles its own copy with its own
// compiler flags.
[[maybe_unused]] static void do_row(const Call& call, std::int64_t y) {
  const std::int64_t w = call.problem.extents.x;
  const std::int32_t* view = call.array<const std::int32_t>(0);
  std::int32_t* count = call.array<std::int32_t>(1);
  for (std::int64_t x = 0; x < w; ++x)
    count[y * w + x] = steps_of(place_of(view, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)),
                                limit_of(call.problem));
}

[[maybe_unused]] static void loop(const Call& call) {
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) do_row(call, y);
}
#endif

}  // namespace sextant::mandelbrot
