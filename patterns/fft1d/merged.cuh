// Transforms by threads that exchange elements through shared memory between passes whose factors are merged into their butterflies.
#pragma once

#include "merged.hpp"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::fft1d {

// A thread's factors of all passes from the second on, in turn.
template <int length, int points, int done = points, typename T>
__device__ __forceinline__ void read_factors(int t, const Complex<T>* __restrict__ table, Complex<T>* base) {
  if constexpr (done < length) {
    constexpr PassShape pass(length, points, done);
    const int key = t & (pass.keys - 1);
#pragma unroll
    for (int stage = 0; stage < pass.stages; ++stage)
      base[stage] = table[table_before(length, points, done) + stage * pass.keys + key];
    read_factors<length, points, done * pass.radix>(t, table, base + pass.stages);
  }
}
// How many these are, at least 1.
constexpr int factors_of_all(int length, int points) {
  int all = 0;
  for (int done = points; done < length; done *= PassShape(length, points, done).radix)
    all += PassShape(length, points, done).stages;
  return all > 0 ? all : 1;
}

// One element in as many is left out in shared memory, so that the stores of a pass spread over all banks.
constexpr int merged_padded(int points, int i) { return i + i / (points == 32 ? 32 : 16); }

// As transform() of shared.cuh, with what read_factors has read of this pass and those after it.
template <int length, int points, int done = 1, typename T, typename Wait>
__device__ __forceinline__ void merged_transform(int t, const Complex<T>* factors, Complex<T>* memory,
                                                 const Wait& wait, T (&re)[points], T (&im)[points]) {
  constexpr PassShape pass(length, points, done);
  if constexpr (done == 1)
    butterfly<pass.radix>(re, im);
  else
    Merged<points, pass.stages, T>(factors).pass(re, im);
  if constexpr (done * pass.radix < length) {
    if constexpr (done > 1) wait();
    const int k = t & (done - 1), first = (t - k) * pass.radix + k;
#pragma unroll
    for (int e = 0; e < points; ++e) memory[merged_padded(points, first + e * done)] = {re[e], im[e]};
    wait();
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const Complex<T> value = memory[merged_padded(points, t + e * pass.threads)];
      re[e] = value.re, im[e] = value.im;
    }
    merged_transform<length, points, done * pass.radix>(t, factors + (done > 1 ? pass.stages : 0), memory,
                                                        wait, re, im);
  }
}

// Four threads of a block ask for transform `batch`, if there is one, into the second-level cache.
template <int length, typename T>
__device__ __forceinline__ void ask_ahead(int t, std::int64_t batch, std::int64_t batches,
                                          const Complex<T>* __restrict__ x) {
  constexpr int part = length / 4;
  if (t < 4 && batch < batches)
    bulk::ask_into_cache(x + batch * length + t * part, part * static_cast<int>(sizeof(Complex<T>)));
}

// Transforms in blocks of at most `block` threads, of which a multiprocessor is to have `resident`. Blocks of one transform ask for that of
// the block `ahead` further on into the second-level cache.
template <int length, int points, int block, int resident, typename T>
__global__ void __launch_bounds__(block, resident)
    transform_merged(std::int64_t batches, int ahead, const Complex<T>* __restrict__ x,
                     const Complex<T>* __restrict__ table, Complex<T>* __restrict__ X) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = length / points;
  constexpr bool alone = block == threads;  // each block has one transform
  const int of_block = alone ? 1 : static_cast<int>(blockDim.x) / threads,
            mine = alone ? 0 : static_cast<int>(threadIdx.x) / threads,
            t = static_cast<int>(threadIdx.x) % threads;
  const std::int64_t batch = static_cast<std::int64_t>(blockIdx.x) * of_block + mine;
  const bool there = alone || batch < batches;
  T re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const Complex<T> value = there ? x[batch * length + t + e * threads] : Complex<T>{0, 0};
    re[e] = value.re, im[e] = value.im;
  }
  if constexpr (alone) ask_ahead<length>(t, batch + ahead, batches, x);
  Complex<T> factors[factors_of_all(length, points)];
  read_factors<length, points>(t, table, factors);  // beside the elements: each pass has its own at hand
  const auto wait = [] {
    if constexpr (threads <= 32)  // then a warp has whole transforms
      __syncwarp();
    else
      __syncthreads();
  };
  merged_transform<length, points>(
      t, factors, reinterpret_cast<Complex<T>*>(shared) + mine * merged_padded(points, length), wait, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e)
    if (there) {
      const Vector<T, 2> out = {re[e], im[e]};
      store_streaming(reinterpret_cast<T*>(X + batch * length + t + e * threads), out);
    }
}

}  // namespace sextant::fft1d
