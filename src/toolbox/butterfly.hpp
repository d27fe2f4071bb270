// Discrete Fourier transforms of a few values in registers: y[k] = sum of x[j] w^(jk) with w = exp(-2 pi i /
// radix). The radix is a power of two up to 32. V is float, double or a SIMD vector of doubles.
#pragma once

#include <type_traits>

#include "toolbox/npb_random.hpp"  // SEXTANT_HOST_DEVICE

#ifdef __CUDACC__
  #define SEXTANT_UNROLL _Pragma("unroll")
#else
  #define SEXTANT_UNROLL _Pragma("GCC unroll 16")
#endif
#define SEXTANT_FLAT inline __attribute__((always_inline))

namespace sextant {

// Returns cos(2 pi k / 16) for k = 1 to 3. Smaller radices use some of these values.
SEXTANT_FLAT constexpr double cosine_16(int k) {
  return k == 1 ? 0.92387953251128674 : k == 2 ? 0.70710678118654752 : 0.38268343236508977;
}
SEXTANT_FLAT constexpr double sine_16(int k) { return cosine_16(4 - k); }

// Returns cos(2 pi k / 32) for k = 1 to 7.
SEXTANT_FLAT constexpr double cosine_32(int k) {
  return k % 2 == 0 ? cosine_16(k / 2)
         : k == 1   ? 0.98078528040323045
         : k == 3   ? 0.83146961230254524
         : k == 5   ? 0.55557023301960222
                    : 0.19509032201612827;
}

template <typename V>
using FactorOf = std::conditional_t<std::is_same_v<V, float>, float, double>;

// Multiplies re + i im by c - i s.
template <typename V, typename W>
SEXTANT_HOST_DEVICE SEXTANT_FLAT void rotate(V& re, V& im, W c, W s) {
  const V old = re;
  re = old * c + im * s;
  im = im * c - old * s;
}

// Multiplies re + i im by exp(-2 pi i k / radix), for 0 < k < radix / 4.
template <int radix, typename V>
SEXTANT_HOST_DEVICE SEXTANT_FLAT void rotate_acute(int k, V& re, V& im) {
  using W = FactorOf<V>;
  if constexpr (radix == 32)
    rotate(re, im, static_cast<W>(cosine_32(k)), static_cast<W>(cosine_32(8 - k)));
  else
    rotate(re, im, static_cast<W>(cosine_16(k * (16 / radix))), static_cast<W>(sine_16(k * (16 / radix))));
}

// Multiplies re + i im by exp(-2 pi i k / radix), for 0 <= k < radix / 2.
template <int radix, typename V>
SEXTANT_HOST_DEVICE SEXTANT_FLAT void rotate_by(int k, V& re, V& im) {
  constexpr auto diagonal = static_cast<FactorOf<V>>(cosine_16(2));
  const V old = re;
  if (k == 0) return;
  if (4 * k == radix) {
    re = im;
    im = -old;
  } else if (8 * k == radix) {
    re = (old + im) * diagonal;
    im = (im - old) * diagonal;
  } else if (8 * k == 3 * radix) {
    re = (im - old) * diagonal;
    im = (old + im) * -diagonal;
  } else if (4 * k < radix) {
    rotate_acute<radix>(k, re, im);
  } else {  // rotates by a quarter turn, then by the remaining acute angle
    re = im;
    im = -old;
    rotate_acute<radix>(k - radix / 4, re, im);
  }
}

template <int radix, typename V>
SEXTANT_HOST_DEVICE SEXTANT_FLAT void butterfly(V* re, V* im) {
  if constexpr (radix > 1) {
    constexpr int half = radix / 2;
    V even_re[half], even_im[half], odd_re[half], odd_im[half];
    SEXTANT_UNROLL
    for (int k = 0; k < half; ++k) {
      even_re[k] = re[2 * k], even_im[k] = im[2 * k];
      odd_re[k] = re[2 * k + 1], odd_im[k] = im[2 * k + 1];
    }
    butterfly<half>(even_re, even_im);
    butterfly<half>(odd_re, odd_im);
    SEXTANT_UNROLL
    for (int k = 0; k < half; ++k) {
      rotate_by<radix>(k, odd_re[k], odd_im[k]);
      re[k] = even_re[k] + odd_re[k], im[k] = even_im[k] + odd_im[k];
      re[k + half] = even_re[k] - odd_re[k], im[k + half] = even_im[k] - odd_im[k];
    }
  }
}

}  // namespace sextant
