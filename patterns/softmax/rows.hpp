// Vectorized softmax of rows on the host.
#pragma once

#include "exponential.hpp"
#include "loop.hpp"

namespace sextant::softmax {

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static T largest(const T* x, std::int64_t count) {
  T most = x[0];
#pragma omp simd reduction(max : most)
  for (std::int64_t c = 0; c < count; ++c) most = x[c] > most ? x[c] : most;
  return most;
}

template <typename T>
static T sum_of_powers(const T* x, std::int64_t count, T most) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < count; ++c) sum += exponential(x[c] - most);
  return sum;
}

// Sets y[c] to factor * e^(x[c] - most).
template <typename T>
static void write_powers(const T* x, std::int64_t count, T most, T factor, T* y) {
#pragma omp simd
  for (std::int64_t c = 0; c < count; ++c) y[c] = factor * exponential(x[c] - most);
}

// Processes a row in three passes: the maximum, the exponentials (stored in y), and the division by their
// sum.
template <typename T>
static void three_passes(const T* x, std::int64_t count, T* y) {
  const T most = largest(x, count);
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < count; ++c) {
    y[c] = exponential(x[c] - most);
    sum += y[c];
  }
  const T factor = 1 / sum;
#pragma omp simd
  for (std::int64_t c = 0; c < count; ++c) y[c] *= factor;
}

// The maximum of some elements, and the sum of their exponentials relative to it.
template <typename T>
struct Extent {
  T most, sum;
};

template <typename T>
static Extent<T> joined(const Extent<T>& a, const Extent<T>& b) {
  const T most = std::max(a.most, b.most);
  return {most, a.sum * exponential(a.most - most) + b.sum * exponential(b.most - most)};
}

// Online softmax: computes maximum and sum in one pass over chunks that fit in a cache. If a chunk has a
// larger maximum, the previous sum is rescaled. `count` must be positive.
template <typename T>
static Extent<T> extent_of(const T* x, std::int64_t count) {
  constexpr std::int64_t piece = 1024;
  Extent<T> all = {x[0], 0};
  for (std::int64_t c = 0; c < count; c += piece) {
    const std::int64_t here = std::min(piece, count - c);
    const T most = largest(x + c, here);
    all = joined(all, {most, sum_of_powers(x + c, here, most)});
  }
  return all;
}

}  // namespace sextant::softmax
