// Transforms that fill a multiprocessor: in the registers of a block's threads, which exchange real and imaginary parts in turns, so
// that shared memory has room for the next transform, too. That one comes by a bulk copy while the threads compute.
#pragma once

#include "pass.hpp"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::fft1d {

template <int length_, int points_, typename T>
struct OneBlock {
  static constexpr int length = length_, points = points_, threads = length / points;  // points: of a thread
  static constexpr int resident = 65536 / (length * static_cast<int>(sizeof(T)));  // blocks a multiprocessor
  static constexpr int fine = 16, coarse = length / fine;                          // roots of 1 in tables
};

// Places in shared memory, some of which are left out so that threads meet no bank twice.
constexpr int place_of_number(int i) { return i + i / 32; }
constexpr int place_of_root(int i) { return i + i / 16; }

template <typename Plan, typename T>
struct alignas(128) BlockRoom {
  Complex<T> next[Plan::length];
  T numbers[place_of_number(Plan::length)];                          // that the threads exchange
  Complex<T> coarse[place_of_root(Plan::coarse)], fine[Plan::fine];  // every 16th root of 1, the first 16
  std::uint64_t barrier;                                             // of `next`

  __device__ __forceinline__ void fill(const Complex<T>* __restrict__ factors) {
    const int t = static_cast<int>(threadIdx.x);
    for (int i = t; i < Plan::coarse; i += Plan::threads) coarse[place_of_root(i)] = factors[i * Plan::fine];
    for (int i = t; i < Plan::fine; i += Plan::threads) fine[i] = factors[i];
  }
};

// Roots of 1 by their number; every `apart`-th one.
template <int apart, typename Room>
struct RootsOfBlock {
  const Room& room;

  __device__ __forceinline__ auto operator[](int i) const {
    constexpr int fine = sizeof(room.fine) / sizeof(room.fine[0]);
    if constexpr (apart % fine == 0) return room.coarse[place_of_root(i * (apart / fine))];
    auto root = room.coarse[place_of_root(i * apart / fine)];
    const auto by = room.fine[i * apart % fine];
    rotate(root.re, root.im, by.re, -by.im);
    return root;
  }
};

// The passes behind the first `done` elements' worth of radices; element e of thread t is element t + e * threads before and after.
template <int done, typename Plan, typename T>
__device__ __forceinline__ void transform_in_block(BlockRoom<Plan, T>& room, T (&re)[Plan::points],
                                                   T (&im)[Plan::points]) {
  constexpr int length = Plan::length, points = Plan::points, threads = Plan::threads;
  constexpr int radix = length / done < points ? length / done : points, butterflies = points / radix;
  const int t = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int b = 0; b < butterflies; ++b) {
    T part_re[radix], part_im[radix];
#pragma unroll
    for (int i = 0; i < radix; ++i)
      part_re[i] = re[b + i * butterflies], part_im[i] = im[b + i * butterflies];
    if constexpr (done > 1)
      turn<radix, true>(RootsOfBlock<length / (done * radix), BlockRoom<Plan, T>>{room}, 0,
                        (t + b * threads) & (done - 1), part_re, part_im);
    butterfly<radix>(part_re, part_im);
#pragma unroll
    for (int i = 0; i < radix; ++i)
      re[b + i * butterflies] = part_re[i], im[b + i * butterflies] = part_im[i];
  }
  if constexpr (done * radix < length) {
    const auto exchange = [&](T(&numbers)[points]) {
#pragma unroll
      for (int b = 0; b < butterflies; ++b) {
        const int j = t + b * threads, k = j & (done - 1), first = place_of_number((j - k) * radix + k);
#pragma unroll
        for (int i = 0; i < radix; ++i)  // no carry: first's last bits are those of k, or of radix * j
          room.numbers[first + place_of_number(i * done)] = numbers[b + i * butterflies];
      }
      __syncthreads();
#pragma unroll
      for (int e = 0; e < points; ++e)
        numbers[e] = room.numbers[place_of_number(t) + place_of_number(e * threads)];
      __syncthreads();
    };
    exchange(re);
    exchange(im);
    transform_in_block<done * radix, Plan>(room, re, im);
  }
}

// Blocks stay, and take every gridDim.x-th transform.
template <typename Plan, typename T>
__global__ void __launch_bounds__(Plan::threads, Plan::resident)
    transform_in_blocks(int batches, const Complex<T>* __restrict__ x, const Complex<T>* __restrict__ factors,
                        Complex<T>* __restrict__ X) {
  if constexpr (bulk::available) {
    extern __shared__ __align__(128) unsigned char bytes[];
    auto& room = *reinterpret_cast<BlockRoom<Plan, T>*>(bytes);
    const int t = static_cast<int>(threadIdx.x);
    const auto ask_for = [&](int batch) {
      constexpr int pieces = 4, size = Plan::length / pieces * static_cast<int>(sizeof(Complex<T>));
      if (t != 0 || batch >= batches) return;
      bulk::expect(&room.barrier, pieces * size);
#pragma unroll
      for (int p = 0; p < pieces; ++p) {
        const int at = p * (Plan::length / pieces);
        bulk::copy(room.next + at, x + static_cast<std::int64_t>(batch) * Plan::length + at, size,
                   &room.barrier);
      }
    };
    if (t == 0) {
      bulk::start(&room.barrier, 1);
      bulk::barriers_started();
    }
    room.fill(factors);
    __syncthreads();
    ask_for(static_cast<int>(blockIdx.x));
    int parity = 0;
    for (int batch = static_cast<int>(blockIdx.x); batch < batches; batch += static_cast<int>(gridDim.x)) {
      T re[Plan::points], im[Plan::points];
      bulk::wait(&room.barrier, parity);
      parity ^= 1;
#pragma unroll
      for (int e = 0; e < Plan::points; ++e) {
        const Complex<T> value = room.next[t + e * Plan::threads];
        re[e] = value.re, im[e] = value.im;
      }
      __syncthreads();
      ask_for(batch + static_cast<int>(gridDim.x));
      transform_in_block<1, Plan>(room, re, im);
      Complex<T>* const to = X + static_cast<std::int64_t>(batch) * Plan::length + t;
#pragma unroll
      for (int e = 0; e < Plan::points; ++e) {
        const Vector<T, 2> out = {re[e], im[e]};
        store_streaming(reinterpret_cast<T*>(to + e * Plan::threads), out);
      }
    }
  }
}

}  // namespace sextant::fft1d
