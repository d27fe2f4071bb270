// Black-Scholes prices with as few function calls as possible: one logarithm, one square root, two
// exponentials, three divisions, and two polynomials for the normal distribution.
//
// For x >= 0 the normal distribution function at -x is density(x) * mills(x). Mills' ratio is smooth, so a
// polynomial approximates it well. In the symbols of loop.hpp, p * density(d1) = e * density(d2), so that one
// density serves both values.
#pragma once

#include <bit>
#include <cstdint>

#include "loop.hpp"

#ifdef __CUDACC__
  #define SEXTANT_BLACKSCHOLES_INLINE __device__ __forceinline__
#else
  #define SEXTANT_BLACKSCHOLES_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::blackscholes {

// Mills' ratio as a polynomial in (x - 4)/(x + 4), interpolated at the Chebyshev nodes of 0 <= x <= 8. For
// all x >= 0, density times polynomial has an absolute error of at most 2.8e-8 (float) or 1.1e-16 (double).
template <typename T>
constexpr int mills_degree = 7;
template <>
inline constexpr int mills_degree<double> = 16;

template <typename T>
constexpr T mills_coefficient(int k) {
  constexpr T c[] = {0.2366523879f,  -0.4271238967f,  0.3117727605f,  -0.1797373199f,
                     0.07735847442f, -0.02136998449f, 0.00126650589f, 0.001967260567f};
  return c[k];
}
template <>
constexpr double mills_coefficient<double>(int k) {
  constexpr double c[] = {0x1.e4aa012912ddep-3,   -0x1.b55fed6ed2220p-2,  0x1.3f414e3539903p-2,
                          -0x1.701d866f8087ep-3,  0x1.3ce4c00b613b6p-4,   -0x1.5cc229f0e2472p-6,
                          0x1.4d848dc193325p-10,  0x1.a3c350ce99eb7p-10,  -0x1.ebfe25f796cbep-12,
                          -0x1.deec99f1ee1d9p-14, 0x1.2d35d4127d5ecp-14,  0x1.848a0cddcf1c8p-17,
                          -0x1.6c77d5c02b5dfp-17, -0x1.17502f880fcdep-19, 0x1.ff63ec54cc53dp-20,
                          0x1.051102ae295bap-20,  0x1.3afd73a7f5b85p-23};
  return c[k];
}

template <int k = 0, typename T>
SEXTANT_BLACKSCHOLES_INLINE T mills(T s) {
  constexpr T c = mills_coefficient<T>(k);
  if constexpr (k == mills_degree<T>)
    return c;
  else
    return c + s * mills<k + 1>(s);
}

// The sum of f2^(k-first)/(2k+1) for first <= k <= last. With f2 = f^2 and first = 0 this is the series of
// atanh(f)/f.
template <int first, int last, typename T>
SEXTANT_BLACKSCHOLES_INLINE T atanh_series(T f2) {
  constexpr T c = static_cast<T>(1.0 / (2 * first + 1));
  if constexpr (first == last)
    return c;
  else
    return c + f2 * atanh_series<first + 1, last>(f2);
}

template <typename T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int mantissa = 23, terms = 4;
  static constexpr float whole = 0x1p23f;  // a number whose last mantissa bit has the value 1
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int mantissa = 52, terms = 10;
  static constexpr double whole = 0x1p52;
};

// A positive x split into a significand in [1, 2) and a biased exponent.
template <typename T>
struct Parts {
  T significand, exponent;
};
template <typename T>
SEXTANT_BLACKSCHOLES_INLINE Parts<T> parts_of(T x) {
  using Bits = typename Format<T>::Bits;
  constexpr Bits one = std::bit_cast<Bits>(T(1)), fraction = (Bits(1) << Format<T>::mantissa) - 1;
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits counted = (bits >> Format<T>::mantissa) | std::bit_cast<Bits>(Format<T>::whole);
  return {std::bit_cast<T>(static_cast<Bits>((bits & fraction) | one)),
          std::bit_cast<T>(counted) - Format<T>::whole};
}

// Computes ln(a/b) for positive normal numbers as 2 atanh((m - q)/(m + q)) plus a multiple of ln(2). Here m
// and q are the significands of a and b, scaled to differ by at most a factor of sqrt(2).
template <typename T>
SEXTANT_BLACKSCHOLES_INLINE T logarithm_of_ratio(T a, T b) {
  constexpr T root2 = static_cast<T>(1.41421356237309504880), ln2 = static_cast<T>(0.69314718055994530942);
  const Parts<T> above = parts_of(a), below = parts_of(b);
  const bool large = above.significand > root2 * below.significand,
             small = below.significand > root2 * above.significand;
  const T m = large ? T(0.5) * above.significand : above.significand;
  const T q = small ? T(0.5) * below.significand : below.significand;
  const T exponent = (above.exponent - below.exponent) + (large ? T(1) : T(0)) - (small ? T(1) : T(0));
  const T f = (m - q) / (m + q);
  return exponent * ln2 + 2 * f * atanh_series<0, Format<T>::terms>(f * f);
}

// `Functions` provides exponential(x) for x <= 0, reciprocal_root(x), logarithm_of_ratio(a, b) and
// quotient(a, b), each in the fastest way for the target.
template <typename Functions, typename T>
SEXTANT_BLACKSCHOLES_INLINE Prices<T> prices(T price, T strike, T time) {
  constexpr T root_2pi = static_cast<T>(0.39894228040143267794);  // 1/sqrt(2 pi)
  constexpr T far = 4;
  const T inverse = Functions::reciprocal_root(time), spread = static_cast<T>(volatility) * time * inverse;
  const T logarithm = Functions::logarithm_of_ratio(price, strike);
  const T d1 = (logarithm + static_cast<T>(drift) * time) * inverse * static_cast<T>(1 / volatility);
  const T d2 = d1 - spread;
  const T discounted = strike * Functions::exponential(static_cast<T>(-rate) * time);
  const T density = price * root_2pi * Functions::exponential(T(-0.5) * d1 * d1);
  const T x1 = (d1 < 0 ? -d1 : d1) + far, x2 = (d2 < 0 ? -d2 : d2) + far;
  const T both = Functions::quotient(2 * far, x1 * x2);
  const T tail1 = density * mills(1 - both * x2), tail2 = density * mills(1 - both * x1);
  const T call = (d1 > 0 ? price - tail1 : tail1) - (d2 > 0 ? discounted - tail2 : tail2);
  return {call, call - price + discounted};
}

}  // namespace sextant::blackscholes
