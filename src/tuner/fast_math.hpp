// Single-precision math functions that compilers can vectorize.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

// Also compiles a function for wider vector instructions, chosen at run time. The results are equal.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
  #define SEXTANT_WIDE __attribute__((target_clones("default", "avx2")))
#else
  #define SEXTANT_WIDE
#endif

namespace sextant::tuner {

// exp(-x) for x >= 0, accurate to a few units in the last place: 2^k times a Taylor polynomial in [-ln 2 / 2,
// ln 2 / 2].
inline float exp_minus(float x) {
  const float scaled = std::max(-126.0f, x * -1.44269504f);
  const float whole = static_cast<float>(static_cast<int>(scaled - 0.5f));
  const float r = (scaled - whole) * 0.693147181f;
  const float polynomial =
      1 + r * (1 + r * (0.5f + r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720))))));
  return polynomial * std::bit_cast<float>((static_cast<int>(whole) + 127) << 23);
}

// Expected value of max(0, u - Z) for a standard normal Z: u Phi(u) + phi(u). Phi is from Abramowitz and
// Stegun, "Handbook of Mathematical Functions", 7.1.26, with an error of 1.5e-7. The result is at least
// 1e-30.
inline float expected_improvement(float u) {
  const float a = std::abs(u) * 0.707106781f;
  const float t = 1 / (1 + 0.3275911f * a), density = exp_minus(a * a);
  const float series =
      0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f)));
  const float tail = 0.5f * density * t * series;
  return std::max(u * (u > 0 ? 1 - tail : tail) + 0.398942280f * density, 1e-30f);
}

}  // namespace sextant::tuner
