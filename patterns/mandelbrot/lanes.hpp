// SIMD form: computes neighbouring pixels of a row together, one per 64-bit lane of a vector.
#pragma once

#include <algorithm>

#include "loop.hpp"

namespace sextant::mandelbrot {

#if defined(__AVX512F__)
inline constexpr int lanes = 8;
#elif defined(__AVX2__)
inline constexpr int lanes = 4;
#else
inline constexpr int lanes = 2;
#endif

// `static`: each including source file compiles its own copy with its own compiler flags.
static inline void do_row_in_lanes(const Call& call, std::int64_t y) {
  typedef std::int64_t Vector __attribute__((vector_size(lanes * 8)));
  constexpr int between = 8;  // number of steps between two checks whether all lanes have escaped
  const std::int64_t w = call.problem.extents.x;
  const std::int32_t *view = call.array<const std::int32_t>(0), limit = limit_of(call.problem);
  std::int32_t* count = call.array<std::int32_t>(1) + y * w;
  for (std::int64_t first = 0; first < w; first += lanes) {
    Vector cr, ci = Vector{} + (view[1] + y * view[2]), zr = {}, zi = {}, steps = {}, stays = Vector{} - 1;
    for (int lane = 0; lane < lanes; ++lane)  // lanes beyond the end of the row compute its last pixel again
      cr[lane] = view[0] + std::min(first + lane, w - 1) * view[2];
    for (std::int32_t k = 0; k < limit;) {
      for (const std::int32_t end = std::min(limit, k + between); k < end; ++k) {
        const Vector square = zr * zr, sum = zi * zi + square, product = zr * zi;
        stays &= sum <= four;
        steps -= stays;
        zr = (stays & (((2 * square - sum) >> fraction) + cr)) | (~stays & zr);
        zi = (stays & ((product >> (fraction - 1)) + ci)) | (~stays & zi);
      }
      std::int64_t any = 0;
      for (int lane = 0; lane < lanes; ++lane) any |= stays[lane];
      if (!any) break;
    }
    for (int lane = 0; lane < std::min<std::int64_t>(lanes, w - first); ++lane)
      count[first + lane] = static_cast<std::int32_t>(steps[lane]);
  }
}

}  // namespace sextant::mandelbrot
