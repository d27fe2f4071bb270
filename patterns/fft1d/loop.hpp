// fft1d: a batch of discrete Fourier transforms of complex numbers, stored one after another.
//
//     for (b = 0; b < batches; ++b)
//       for (k = 0; k < length; ++k) X[b][k] = sum over j of x[b][j] * exp(-2 pi i j k / length);
//
// The serial loop uses bit reversal and log2(length) stages of radix 2.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::fft1d {

// The length of one transform, a power of two: the parameter `length`, or the largest power of two that fits.
// extents.x counts real numbers, two per complex element.
inline std::int64_t length_of(const Problem& problem) {
  const auto all = static_cast<std::uint64_t>(problem.extents.x / 2);
  return std::min(problem.parameters[0], static_cast<std::int64_t>(std::bit_floor(all)));
}
inline std::int64_t batches_of(const Problem& problem) {
  const std::int64_t length = length_of(problem);
  return length == 0 ? 0 : problem.extents.x / 2 / length;
}
inline std::int64_t numbers_of(const Problem& problem) {
  return 2 * length_of(problem) * batches_of(problem);
}

// `static` gives each variant its own copy, compiled with that variant's flags. The variant's state starts
// with the twiddle factors: cos and -sin of 2 pi k / length.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t length = length_of(call.problem), batches = batches_of(call.problem);
  const T* x = call.array<const T>(0);
  T* X = call.array<T>(1);
  const T* factors = static_cast<const T*>(call.state);
  for (std::int64_t b = 0; b < batches; ++b, x += 2 * length, X += 2 * length) {
    for (std::int64_t j = 0, place = 0; j < length; ++j) {
      X[2 * place] = x[2 * j];
      X[2 * place + 1] = x[2 * j + 1];
      std::int64_t bit = length / 2;
      for (; bit > 0 && (place & bit); bit /= 2) place -= bit;
      place += bit;
    }
    for (std::int64_t half = 1; half < length; half *= 2)
      for (std::int64_t first = 0; first < length; first += 2 * half)
        for (std::int64_t k = 0; k < half; ++k) {
          T* low = X + 2 * (first + k);
          T* high = low + 2 * half;
          const T w_re = factors[k * (length / half)], w_im = factors[k * (length / half) + 1];
          const T low_re = low[0], low_im = low[1], high_re = high[0], high_im = high[1];
          const T re = high_re * w_re - high_im * w_im, im = high_re * w_im + high_im * w_re;
          low[0] = low_re + re;
          low[1] = low_im + im;
          high[0] = low_re - re;
          high[1] = low_im - im;
        }
  }
}

}  // namespace sextant::fft1d
