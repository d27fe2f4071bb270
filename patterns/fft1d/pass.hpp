// One pass of a Stockham FFT, for all offloading models: one butterfly per thread, in registers (Govindaraju
// et al., "High performance discrete Fourier transforms on graphics processors", SC 2008).
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/butterfly.hpp"

#ifdef __CUDACC__
  #define SEXTANT_FFT1D_UNROLL _Pragma("unroll")
#else
  #define SEXTANT_FFT1D_UNROLL _Pragma("GCC unroll 32")
#endif

namespace sextant::fft1d {

using Radices = Choices<1, 2, 4, 8, 16>;

template <typename T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

// Multiplies element i by factors[first + i * step]. Only the first three factors and every fourth one are
// loaded; the others are products of two loaded factors, which keeps rounding errors small. `from_one` means
// that `first` is 0. `factors` is a pointer or a type with an index operator.
template <int radix, bool from_one, typename Factors, typename Index, typename T>
SEXTANT_HOST_DEVICE SEXTANT_FLAT void turn(const Factors& factors, Index first, Index step, T* re, T* im) {
  Complex<T> coarse = {1, 0}, fine[4] = {};
  SEXTANT_FFT1D_UNROLL
  for (int i = 1; i < 4 && i < radix; ++i) fine[i] = factors[i * step];
  SEXTANT_FFT1D_UNROLL
  for (int i = 0; i < radix; ++i) {
    if (from_one && i == 0) continue;
    if (i % 4 == 0) coarse = factors[first + i * step];
    Complex<T> w = i % 4 == 0 ? coarse : fine[i % 4];
    if (i % 4 != 0 && !(from_one && i < 4))
      w = {coarse.re * w.re - coarse.im * w.im, coarse.re * w.im + coarse.im * w.re};
    const T old = re[i];
    re[i] = old * w.re - im[i] * w.im;
    im[i] = old * w.im + im[i] * w.re;
  }
}

// Performs butterfly j of the length / radix butterflies of a pass. `done` is the product of the radices of
// earlier passes.
template <int radix, typename T>
SEXTANT_HOST_DEVICE SEXTANT_FLAT void pass(const Complex<T>* from, Complex<T>* to, const Complex<T>* factors,
                                           std::int64_t length, std::int64_t done, std::int64_t j) {
  const std::int64_t step = length / radix, k = j & (done - 1);
  T re[radix], im[radix];
  SEXTANT_UNROLL
  for (int i = 0; i < radix; ++i) {
    const Complex<T> value = from[j + i * step];
    re[i] = value.re, im[i] = value.im;
  }
  turn<radix, true>(factors, std::int64_t{0}, k * (step / done), re, im);
  butterfly<radix>(re, im);
  const std::int64_t first = (j - k) * radix + k;
  SEXTANT_UNROLL
  for (int i = 0; i < radix; ++i) to[first + i * done] = {re[i], im[i]};
}

// Length of a variant's state in real numbers. It holds the twiddle factors and a workspace as large as x.
inline std::int64_t state_numbers(const Problem& problem) {
  return 2 * length_of(problem) + numbers_of(problem);
}
inline std::int64_t state_bytes(const Problem& problem, const int*) {
  return state_numbers(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

// Calls run.template operator()<radix>(done, from, to, factors) for each pass, with radices of at most
// `most`. The last pass writes to X. `state` holds the twiddle factors, then the workspace.
template <typename T, typename Run>
void for_each_pass(const Problem& problem, int most, const void* x, void* X, void* state, Run&& run) {
  const std::int64_t length = length_of(problem);
  const auto* factors = static_cast<const Complex<T>*>(state);
  Complex<T>* buffers[] = {static_cast<Complex<T>*>(X), static_cast<Complex<T>*>(state) + length};
  const auto radix_after = [&](std::int64_t done) {
    return static_cast<int>(std::min<std::int64_t>(most, length / done));
  };
  int left = 0;
  for (std::int64_t done = 1; done < length; done *= radix_after(done)) ++left;
  const auto* from = static_cast<const Complex<T>*>(x);
  std::int64_t done = 1;
  do {
    const int radix = radix_after(done);
    Complex<T>* to = buffers[left > 0 ? (left - 1) % 2 : 0];
    Radices::with(radix, [&]<int constant>() { run.template operator()<constant>(done, from, to, factors); });
    from = to;
    done *= radix;
    --left;
  } while (done < length);
}

}  // namespace sextant::fft1d
