// FFT passes with the twiddle factors merged into the butterflies. The sum a + w b takes four fused
// multiply-adds; the difference a - w b = 2 a - (a + w b) takes two more. A thread loads only log2(radix)
// factors per pass: base^1, ^2, ^4 and so on. The other factors are products of these and constants.
#pragma once

#include <cmath>
#include <vector>

#include "pass.hpp"

namespace sextant::fft1d {

constexpr int log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }

// The shape of one pass by length / points threads. `done` is the product of the radices of earlier passes.
struct PassShape {
  // `keys` is the number of distinct sets of factors; `stages` is the number of radix-2 stages in the pass.
  int radix, threads, keys, stages;

  constexpr PassShape(int length, int points, int done)
      : radix(length / done < points ? length / done : points),
        threads(length / points),
        keys(done < threads ? done : threads),
        stages(log2_of(radix)) {}
};

// The number of entries in the factor table for passes before `done`. The table is ordered by pass, then by
// stage, then by key.
constexpr int table_before(int length, int points, int done) {
  int entries = 0;
  for (int at = points; at < done;) {
    const PassShape pass(length, points, at);
    entries += pass.keys * pass.stages;
    at *= pass.radix;
  }
  return entries;
}
// Computes the factor table. Its entries are exp(-2 pi i key 2^stage / (done radix)).
template <typename T>
std::vector<Complex<T>> merged_table(int length, int points) {
  std::vector<Complex<T>> table;
  for (int done = points; done < length;) {
    const PassShape pass(length, points, done);
    for (int stage = 0; stage < pass.stages; ++stage)
      for (int key = 0; key < pass.keys; ++key) {
        const long double angle =
            -2 * std::acos(-1.0L) * static_cast<long double>(key << stage) / (done * pass.radix);
        table.push_back({static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))});
      }
    done *= pass.radix;
  }
  return table;
}

// A thread's factors of one pass: base^(2^s) exp(-2 pi i q 2^s / points) for stage s and 0 <= q < points /
// 2^(s+1). Only the first half of this range of q is stored; multiplication by -i gives the other half.
template <int points, int stages, typename T>
class Merged {
 public:
  SEXTANT_HOST_DEVICE SEXTANT_FLAT explicit Merged(const Complex<T>* base) { make<0>(base); }

  // Performs the pass on `points` elements, as independent butterflies of radix 2^stages. Butterfly b has
  // elements b, b + points / radix and so on.
  SEXTANT_HOST_DEVICE SEXTANT_FLAT void pass(T (&re)[points], T (&im)[points]) const {
    constexpr int radix = 1 << stages, butterflies = points / radix;
    SEXTANT_FFT1D_UNROLL
    for (int b = 0; b < butterflies; ++b) {
      T part_re[radix], part_im[radix];
      SEXTANT_FFT1D_UNROLL
      for (int i = 0; i < radix; ++i)
        part_re[i] = re[b + i * butterflies], part_im[i] = im[b + i * butterflies];
      merge<radix, 0>(b, part_re, part_im);
      SEXTANT_FFT1D_UNROLL
      for (int i = 0; i < radix; ++i)
        re[b + i * butterflies] = part_re[i], im[b + i * butterflies] = part_im[i];
    }
  }

 private:
  static constexpr int count(int stage) { return points >> (stage + 2) > 0 ? points >> (stage + 2) : 1; }
  static constexpr int first(int stage) { return stage == 0 ? 0 : first(stage - 1) + count(stage - 1); }

  template <int stage, int q = 0>
  SEXTANT_HOST_DEVICE SEXTANT_FLAT void make(const Complex<T>* base) {
    if constexpr (stage < stages && q == count(stage)) {
      make<stage + 1>(base);
    } else if constexpr (stage < stages) {
      T re = base[stage].re, im = base[stage].im;
      rotate_by<points>(q << stage, re, im);
      re_[first(stage) + q] = re, im_[first(stage) + q] = im;
      make<stage, q + 1>(base);
    }
  }
  // Recursively performs the stages of butterfly b that combine up to `radix` elements. The last of these
  // uses the factors of `stage`.
  template <int radix, int stage>
  SEXTANT_HOST_DEVICE SEXTANT_FLAT void merge(int b, T* re, T* im) const {
    if constexpr (radix > 1) {
      constexpr int half = radix / 2, butterflies = points >> stages, stored = count(stage);
      T even_re[half], even_im[half], odd_re[half], odd_im[half];
      SEXTANT_FFT1D_UNROLL
      for (int k = 0; k < half; ++k) {
        even_re[k] = re[2 * k], even_im[k] = im[2 * k];
        odd_re[k] = re[2 * k + 1], odd_im[k] = im[2 * k + 1];
      }
      merge<half, stage + 1>(b, even_re, even_im);
      merge<half, stage + 1>(b, odd_re, odd_im);
      SEXTANT_FFT1D_UNROLL
      for (int k = 0; k < half; ++k) {
        const int q = k * butterflies + b, at = first(stage) + q % stored;
        const T w_re = q >= stored ? im_[at] : re_[at], w_im = q >= stored ? -re_[at] : im_[at];
        re[k] = std::fma(-w_im, odd_im[k], std::fma(w_re, odd_re[k], even_re[k]));
        im[k] = std::fma(w_im, odd_re[k], std::fma(w_re, odd_im[k], even_im[k]));
        re[k + half] = std::fma(T(2), even_re[k], -re[k]);
        im[k + half] = std::fma(T(2), even_im[k], -im[k]);
      }
    }
  }

  T re_[points / 2 + 1], im_[points / 2 + 1];
};

}  // namespace sextant::fft1d
