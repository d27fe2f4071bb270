// e^x by additions and multiplications. It vectorizes on any processor. On GPUs used through OpenACC or
// OpenMP it replaces slow library calls.
#pragma once

#include <bit>
#include <cstdint>

#include "toolbox/openacc/pack.hpp"

namespace sextant::softmax {

namespace detail {

constexpr double factorial(int k) { return k < 2 ? 1 : k * factorial(k - 1); }

// Returns the sum of r^(k - first) / k! for first <= k <= last.
template <int first, int last, typename T>
SEXTANT_INLINE T series(T r) {
  constexpr T coefficient = static_cast<T>(1 / factorial(first));
  if constexpr (first == last)
    return coefficient;
  else
    return coefficient + r * series<first + 1, last>(r);
}

// Constants for each floating-point type.
// ln2_high + ln2_low: the natural logarithm of 2. ln2_high has few bits, so that its product with an exponent
// is exact.
// whole: a number whose last mantissa bit has the value 1. Adding it rounds a small number to an integer.
// least: the smallest x for which e^x is a normal number.
// terms: degree of the series for which the error is below the last place.
template <typename T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr float ln2_high = 0x1.63p-1f, ln2_low = -0x1.bd0106p-13f, whole = 0x1.8p23f, least = -87;
  static constexpr int mantissa = 23, terms = 7;
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr double ln2_high = 0x1.62e4p-1, ln2_low = 0x1.7f7d1cf79abcap-20, whole = 0x1.8p52,
                          least = -708;
  static constexpr int mantissa = 52, terms = 13;
};

}  // namespace detail

// Returns e^x for x <= 0, accurate to a few units in the last place. For x < `least` it returns e^least,
// which is practically 0.
template <typename T>
SEXTANT_INLINE T exponential(T x) {
  using Format = detail::Format<T>;
  using Bits = typename Format::Bits;
  constexpr T log2_e = static_cast<T>(1.442695040888963407);
  const T bounded = x < Format::least ? Format::least : x;
  const T shifted = bounded * log2_e + Format::whole;  // its last bits are the binary exponent of the result
  const T exponent = shifted - Format::whole;
  const T r = (bounded - exponent * Format::ln2_high) - exponent * Format::ln2_low;
  constexpr Bits one = std::bit_cast<Bits>(static_cast<T>(1));
  const Bits scale = static_cast<Bits>(std::bit_cast<Bits>(shifted) << Format::mantissa) + one;
  return detail::series<0, Format::terms>(r) * std::bit_cast<T>(scale);
}

}  // namespace sextant::softmax
