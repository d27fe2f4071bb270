// A transform by threads that have some elements each in registers, and exchange them between passes through shared memory.
#pragma once

#include "pass.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::fft1d {

// Elements of a transform in shared memory: one in 16 is left out, so that the stores of a pass of radix 16 spread over all banks.
constexpr int padded(int i) { return i + i / 16; }

// Element e of thread t is element t + e * length / points of the transform. `place(i)` is where element i of it lies in `memory`;
// `apart`: how many entries of `factors` are between one of the transform's and the next; wait() is a barrier of all who have a part
// of the memory, which they no longer read when this is called. `done`: the product of the radices before. What comes out is that of
// thread `last_t` of the transform whose elements lie at last_place(i): another one, if that writes better.
template <int length, int points, int done = 1, typename T, typename Place, typename Last, typename Wait>
__device__ __forceinline__ void transform_across(int t, int last_t, const Complex<T>* __restrict__ factors,
                                                 int apart, Complex<T>* memory, const Place& place,
                                                 const Last& last_place, const Wait& wait, T (&re)[points],
                                                 T (&im)[points]) {
  constexpr int radix = length / done < points ? length / done : points, threads = length / points,
                butterflies = points / radix;
#pragma unroll
  for (int b = 0; b < butterflies; ++b) {
    const int k = (t + b * threads) & (done - 1);
    T part_re[radix], part_im[radix];
#pragma unroll
    for (int i = 0; i < radix; ++i)
      part_re[i] = re[b + i * butterflies], part_im[i] = im[b + i * butterflies];
    if constexpr (done > 1)
      turn<radix, true>(factors, 0, k * (length / (done * radix)) * apart, part_re, part_im);
    butterfly<radix>(part_re, part_im);
#pragma unroll
    for (int i = 0; i < radix; ++i)
      re[b + i * butterflies] = part_re[i], im[b + i * butterflies] = part_im[i];
  }
  if constexpr (done * radix < length) {
    if constexpr (done > 1) wait();
#pragma unroll
    for (int b = 0; b < butterflies; ++b) {
      const int j = t + b * threads, k = j & (done - 1), first = (j - k) * radix + k;
#pragma unroll
      for (int i = 0; i < radix; ++i)
        memory[place(first + i * done)] = {re[b + i * butterflies], im[b + i * butterflies]};
    }
    wait();
    const auto go_on = [&](int next_t, const auto& next_place) {
#pragma unroll
      for (int e = 0; e < points; ++e) {
        const Complex<T> value = memory[next_place(next_t + e * threads)];
        re[e] = value.re, im[e] = value.im;
      }
      transform_across<length, points, done * radix>(next_t, last_t, factors, apart, memory, next_place,
                                                     last_place, wait, re, im);
    };
    if constexpr (done * radix * points >= length)  // the next pass is the last one
      go_on(last_t, last_place);
    else
      go_on(t, place);
  }
}

// The same with thread t's elements before and after.
template <int length, int points, typename T, typename Place, typename Wait>
__device__ __forceinline__ void transform(int t, const Complex<T>* __restrict__ factors, int apart,
                                          Complex<T>* memory, const Place& place, const Wait& wait,
                                          T (&re)[points], T (&im)[points]) {
  transform_across<length, points>(t, t, factors, apart, memory, place, place, wait, re, im);
}

}  // namespace sextant::fft1d
