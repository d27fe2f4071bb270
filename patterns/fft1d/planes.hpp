// Radix-4 Stockham FFT on the host. Real and imaginary parts are in separate arrays, so that neighbouring
// butterflies vectorize.
#pragma once

#include "factors.hpp"

namespace sextant::fft1d {

// Number of real numbers in the workspace of one thread.
inline std::int64_t planes_of(const Problem& problem) { return 4 * length_of(problem); }

// An array of complex numbers with separate real and imaginary parts.
template <typename T>
struct Planes {
  T *re, *im;
};

// Butterfly p of one radix-4 pass, with its twiddle factors. The pass works on `s` interleaved transforms of
// 4 * quarter elements; q is the number of the transform.
template <typename T>
static inline void quarter_step(const Planes<T>& from, const Planes<T>& to, const T* w, std::int64_t quarter,
                                std::int64_t s, std::int64_t p, std::int64_t q) {
  const std::int64_t in = q + s * p, step = s * quarter, out = q + s * 4 * p;
  const T a_re = from.re[in], a_im = from.im[in], b_re = from.re[in + step], b_im = from.im[in + step];
  const T c_re = from.re[in + 2 * step], c_im = from.im[in + 2 * step], d_re = from.re[in + 3 * step],
          d_im = from.im[in + 3 * step];
  const T sum_re = a_re + c_re, sum_im = a_im + c_im, away_re = a_re - c_re, away_im = a_im - c_im;
  const T other_re = b_re + d_re, other_im = b_im + d_im;
  const T turned_re = b_im - d_im, turned_im = d_re - b_re;  // real and imaginary part of -i (b - d)
  const auto put = [&](std::int64_t k, T re, T im) {
    const T w_re = w[2 * k * p * s], w_im = w[2 * k * p * s + 1];
    to.re[out + k * s] = re * w_re - im * w_im;
    to.im[out + k * s] = re * w_im + im * w_re;
  };
  to.re[out] = sum_re + other_re, to.im[out] = sum_im + other_im;
  put(1, away_re + turned_re, away_im + turned_im);
  put(2, sum_re - other_re, sum_im - other_im);
  put(3, away_re - turned_re, away_im - turned_im);
}

// Writes the transform of x to X. `workspace` has space for planes_of(problem) numbers.
template <typename T>
static void transform(std::int64_t length, const T* x, const T* factors, T* workspace, T* X) {
  Planes<T> from = {workspace, workspace + length}, to = {workspace + 2 * length, workspace + 3 * length};
  for (std::int64_t j = 0; j < length; ++j) from.re[j] = x[2 * j], from.im[j] = x[2 * j + 1];
  std::int64_t left = length, s = 1;
  for (; left >= 4; left /= 4, s *= 4, std::swap(from, to)) {
    const std::int64_t quarter = left / 4;
    if (s < 16) {
      for (std::int64_t q = 0; q < s; ++q)
#pragma omp simd
        for (std::int64_t p = 0; p < quarter; ++p) quarter_step(from, to, factors, quarter, s, p, q);
    } else {
      for (std::int64_t p = 0; p < quarter; ++p)
#pragma omp simd
        for (std::int64_t q = 0; q < s; ++q) quarter_step(from, to, factors, quarter, s, p, q);
    }
  }
  for (std::int64_t j = 0; left == 2 && j < s; ++j) {
    X[2 * j] = from.re[j] + from.re[j + s], X[2 * j + 1] = from.im[j] + from.im[j + s];
    X[2 * (j + s)] = from.re[j] - from.re[j + s], X[2 * (j + s) + 1] = from.im[j] - from.im[j + s];
  }
  for (std::int64_t j = 0; left == 1 && j < length; ++j) X[2 * j] = from.re[j], X[2 * j + 1] = from.im[j];
}

}  // namespace sextant::fft1d
