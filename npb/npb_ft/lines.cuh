// Stockham FFT of lines in registers. The n elements of a line are distributed over n / points threads,
// `points` elements each. A pass has radix `points`; the last one may have a smaller radix. Between passes
// the threads exchange elements through shared memory (Govindaraju et al., "High performance discrete Fourier
// transforms on graphics processors", SC 2008).
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "problem.hpp"
#include "toolbox/butterfly.hpp"

namespace sextant::npb_ft {

// Returns the maximum threads per block. `points` elements need 64, 128 or 255 registers per thread, so one
// block fills a multiprocessor.
constexpr int most_threads(int points) { return points <= 8 ? 1024 : points == 16 ? 512 : 256; }

struct alignas(16) Pair {  // a complex number that is loaded or stored in one access
  double re, im;
};

// Exchanges elements among the threads of a line through shared memory. With Element = double, real parts go
// first and imaginary parts reuse the memory; this halves the memory and doubles the barriers. With Element =
// Pair both go together. Lines are interleaved in column-major order if `columns` > 1. One padding element
// after every `points` elements avoids bank conflicts.
template <int points, typename Element = double>
struct Exchange {
  Element* memory;
  int columns;

  // Stores this thread's element i at position to(i) of the line. Then loads its new element i from position
  // from(i).
  template <typename To, typename From>
  __device__ __forceinline__ void operator()(To&& to, From&& from, double (&re)[points],
                                             double (&im)[points]) const {
    if constexpr (std::is_same_v<Element, double>) {
      move(to, from, re);
      __syncthreads();
      move(to, from, im);
    } else {
#pragma unroll
      for (int i = 0; i < points; ++i) at(to(i)) = {re[i], im[i]};
      __syncthreads();
#pragma unroll
      for (int i = 0; i < points; ++i) {
        const Pair value = at(from(i));
        re[i] = value.re;
        im[i] = value.im;
      }
    }
  }

 private:
  __device__ __forceinline__ Element& at(int i) const { return memory[(i + i / points) * columns]; }

  template <typename To, typename From>
  __device__ __forceinline__ void move(To&& to, From&& from, double (&values)[points]) const {
#pragma unroll
    for (int i = 0; i < points; ++i) at(to(i)) = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < points; ++i) values[i] = at(from(i));
  }
};

constexpr int exchange_elements(int n, int points) { return n + n / points; }

// Computes the butterflies of one pass. `done` is the product of the earlier radices. Element e of a thread
// is element thread + e * n / points of the line. factors[done * k + g - 1] must be (cos, sin) of 2 pi k g /
// (done * radix).
template <int n, int points, int done, int radix>
__device__ __forceinline__ void apply_butterflies(int thread, const Pair* factors, double (&re)[points],
                                                  double (&im)[points]) {
  constexpr int butterflies = points / radix, threads = n / points;
#pragma unroll
  for (int b = 0; b < butterflies; ++b) {
    double part_re[radix], part_im[radix];
    const int group = (thread + b * threads) % done;
#pragma unroll
    for (int k = 0; k < radix; ++k) {
      part_re[k] = re[b + k * butterflies];
      part_im[k] = im[b + k * butterflies];
      if (done > 1 && k > 0) {
        const Pair factor = factors[done * k + group - 1];
        rotate(part_re[k], part_im[k], factor.re, factor.im);
      }
    }
    butterfly<radix>(part_re, part_im);
#pragma unroll
    for (int k = 0; k < radix; ++k) {
      re[b + k * butterflies] = part_re[k];
      im[b + k * butterflies] = part_im[k];
    }
  }
}

// Performs the remaining passes of a transform. `done` is the product of the earlier radices.
template <int n, int points, int done, typename Element>
__device__ __forceinline__ void passes(int thread, const Pair* factors,
                                       const Exchange<points, Element>& exchange, double (&re)[points],
                                       double (&im)[points]) {
  constexpr int radix = n / done < points ? n / done : points, butterflies = points / radix;
  constexpr int threads = n / points;
  apply_butterflies<n, points, done, radix>(thread, factors, re, im);
  if constexpr (done * radix < n) {
    const auto to = [=](int i) {
      const int b = i % butterflies, k = i / butterflies, j = thread + b * threads, group = j % done;
      return (j - group) * radix + group + k * done;
    };
    const auto from = [=](int i) { return thread + i * threads; };
    if (done > 1) __syncthreads();  // waits until the previous exchange has been read
    exchange(to, from, re, im);
    passes<n, points, done * radix>(thread, factors, exchange, re, im);
  }
}

// Returns element `index` of the twiddle factors for lines of length n. The table has n - 1 elements in the
// order in which `passes` reads them.
inline __device__ Pair factor_at(int index, int n, int points) {
  int done = 1;
  while (done * points <= index + 1) done *= points;
  const int radix = min(points, n / done), k = (index + 1) / done, group = (index + 1) % done;
  Pair factor;
  sincospi(2.0 * k * group / (done * radix), &factor.im, &factor.re);
  return factor;
}

// Generates elements first, first + threads, … of the random initial field, with real and imaginary parts
// swapped.
template <int points, int threads>
__device__ __forceinline__ void random_line(std::int64_t first, double (&re)[points], double (&im)[points]) {
  constexpr std::uint64_t jump = npb::random_jump(2 * (threads - 1));  // skips the elements in between
  std::uint64_t state = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * first));
#pragma unroll
  for (int e = 0; e < points; ++e) {
    state = npb::random_next(state);
    im[e] = npb::random_value(state);
    state = npb::random_next(state);
    re[e] = npb::random_value(state);
    state = npb::random_product(jump, state);
  }
}

template <int points>
__device__ __forceinline__ void load_line(const Pair* from, std::int64_t step, double (&re)[points],
                                          double (&im)[points]) {
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const Pair value = from[e * step];
    re[e] = value.re;
    im[e] = value.im;
  }
}

template <int points>
__device__ __forceinline__ void store_line(Pair* to, std::int64_t step, const double (&re)[points],
                                           const double (&im)[points]) {
#pragma unroll
  for (int e = 0; e < points; ++e) to[e * step] = {re[e], im[e]};
}

// Calls function.operator()<n, points>() for this line length. `points` per thread is 32 if requested and
// `most` allows it, else min(n, 16).
template <int most = 32, int n = 2, typename Function>
void with_line(std::int64_t length, int points, Function&& function) {
  if (length == n) {
    if constexpr (n >= 32 && most == 32)
      if (points == 32) return function.template operator()<n, 32>();
    function.template operator()<n, std::min(n, 16)>();
  } else if constexpr (n < longest) {
    with_line<most, 2 * n>(length, points, function);
  }
}

}  // namespace sextant::npb_ft
