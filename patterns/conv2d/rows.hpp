// Rows of the result on the host: inside, each lane of a vector has a point;
// near the left and right rims, one by one.
#pragma once

#include "loop.hpp"

namespace sextant::conv2d {

// Points from … to-1 of row j, all of which lie R inside of the rims; the rows
// above and below that there are. Static: each variant compiles its own copy
// with its own flags.
template <int R, typename T>
static void inner_points(std::int64_t n, std::int64_t j, std::int64_t from, std::int64_t to, const T* x,
                         const T* w, T* y) {
  constexpr int width = 2 * R + 1;
  const std::int64_t first = std::max<std::int64_t>(0, R - j),
                     last = std::min<std::int64_t>(width, n + R - j);
  if (last - first == width) {
    const T* above = x + (j - R) * n;
#pragma omp simd
    for (std::int64_t i = from; i < to; ++i) {
      T sum = 0;
#pragma GCC unroll 15
      for (int b = 0; b < width; ++b)
#pragma GCC unroll 15
        for (int a = 0; a < width; ++a) sum += w[b * width + a] * above[b * n + i + a - R];
      y[j * n + i] = sum;
    }
    return;
  }
  for (std::int64_t i = from; i < to; ++i) y[j * n + i] = 0;
  for (std::int64_t b = first; b < last; ++b) {
    const T *row = x + (j + b - R) * n, *weights = w + b * width;
#pragma omp simd
    for (std::int64_t i = from; i < to; ++i) {
      T sum = 0;
#pragma GCC unroll 15
      for (int a = 0; a < width; ++a) sum += weights[a] * row[i + a - R];
      y[j * n + i] += sum;
    }
  }
}

// Points from … to-1 of row j, wherever they lie.
template <int R, typename T>
static void points(std::int64_t n, std::int64_t j, std::int64_t from, std::int64_t to, const T* x, const T* w,
                   T* y) {
  constexpr int width = 2 * R + 1;
  const auto at_rim = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      T sum = 0;
      for (std::int64_t b = std::max<std::int64_t>(0, R - j); b < std::min<std::int64_t>(width, n + R - j);
           ++b)
        for (std::int64_t a = std::max<std::int64_t>(0, R - i); a < std::min<std::int64_t>(width, n + R - i);
             ++a)
          sum += w[b * width + a] * x[(j + b - R) * n + i + a - R];
      y[j * n + i] = sum;
    }
  };
  const std::int64_t left = std::clamp<std::int64_t>(R, from, to),
                     right = std::clamp<std::int64_t>(n - R, left, to);
  at_rim(from, left);
  inner_points<R>(n, j, left, right, x, w, y);
  at_rim(right, to);
}

}  // namespace sextant::conv2d
