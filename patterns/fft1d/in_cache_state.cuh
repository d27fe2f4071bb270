// Transforms in two passes through the L2 cache: the kernel, the state that its blocks share, and its launch.
#pragma once

#include "pass.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/overlap.cuh"
#include "toolbox/cuda/vector.cuh"

// Four-step FFT of long transforms in two passes, whose intermediate data stay in the L2 cache. A transform
// is a row-major matrix. In the first pass a block transforms some neighbouring columns; in the second pass a
// block transforms some neighbouring rows.
//
// Blocks take work in order by tickets, from an atomic counter (lookback.cuh). The second pass of a transform
// starts after the first pass of a few later transforms. The first pass stores element (k, column) at k +
// rows * column, so that a block of the second pass writes where it has read.
namespace sextant::fft1d {

// Index of element i in shared memory. A padding element after every 16 elements avoids bank conflicts.
constexpr int padded(int i) { return i + i / 16; }

// One transform by length / points threads, which exchange elements through `memory`. Element e of thread t
// is element t + e * length / points of the transform.
//
// - `place(i)` is the index of element i in `memory`.
// - `apart` is the stride in `factors`.
// - `done` is the product of the radices of the earlier passes.
// - wait() is a barrier of all threads that use `memory`; no thread may be reading `memory` at the call.
// - Thread `last_t` receives the results of the transform stored at last_place(i). This may be a transform of
//   other threads, if that makes writes more efficient.
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

// Like transform_across, but each thread keeps the results of its own transform.
template <int length, int points, typename T, typename Place, typename Wait>
__device__ __forceinline__ void transform(int t, const Complex<T>* __restrict__ factors, int apart,
                                          Complex<T>* memory, const Place& place, const Wait& wait,
                                          T (&re)[points], T (&im)[points]) {
  transform_across<length, points>(t, t, factors, apart, memory, place, place, wait, re, im);
}

}  // namespace sextant::fft1d

namespace sextant::fft1d {

template <int log_length, typename T>
struct TwoPasses {
  static constexpr int rows = 1 << (log_length + 1) / 2, columns = 1 << log_length / 2, points = 16;
  // Number of elements per block.
  static constexpr int elements = sizeof(T) == 4 ? 4096 : 2048, threads = elements / points;
  static constexpr int resident = sizeof(T) == 4 ? 3 : 4;  // resident blocks per multiprocessor
  // `wide`: columns per block in the first pass; `high`: rows per block in the second.
  static constexpr int wide = elements / rows, high = elements / columns;
  static constexpr int parts = (1 << log_length) / elements;  // blocks per transform in each pass
};

// Computes any root of unity from two tables: every columns-th root, and the first `columns` roots.
template <typename Plan, typename T>
struct Roots {
  Complex<T> coarse[Plan::rows], fine[Plan::columns];

  __device__ __forceinline__ void fill(const Complex<T>* __restrict__ factors, bool all) {
    for (int i = static_cast<int>(threadIdx.x); i < Plan::rows; i += Plan::threads)
      coarse[i] = factors[i * Plan::columns];
    for (int i = static_cast<int>(threadIdx.x); all && i < Plan::columns; i += Plan::threads)
      fine[i] = factors[i];
  }
  __device__ __forceinline__ Complex<T> operator[](int i) const {
    const Complex<T> a = coarse[i / Plan::columns], b = fine[i % Plan::columns];
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <typename Plan, typename T>
struct alignas(16) Room {
  // Row length in shared memory, padded to avoid bank conflicts along columns.
  static constexpr int pitch = Plan::wide + 1;
  Complex<T> memory[Plan::rows * pitch];
  Roots<Plan, T> roots;
};

template <typename T>
using Pair = std::conditional_t<sizeof(T) == 4, float2, double2>;

// State shared by the blocks of a launch. done[t] counts the blocks that have finished the first pass of
// transform t, summed over all launches.
struct Progress {
  lookback::DescriptorArray<int> descriptors;
  unsigned* done;
};

template <typename Plan, typename T>
__device__ __forceinline__ void first_pass(const Complex<T>* __restrict__ x,
                                           const Complex<T>* __restrict__ factors, Complex<T>* X, int part,
                                           Room<Plan, T>& room) {
  constexpr int points = Plan::points, step = Plan::rows / points, pitch = Room<Plan, T>::pitch;
  const int thread = static_cast<int>(threadIdx.x), near = thread % Plan::wide, t = thread / Plan::wide;
  const int last_near = thread / step, last_t = thread % step, column = part * Plan::wide + last_near;
  T re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const auto value = __ldcs(reinterpret_cast<const Pair<T>*>(x) + (t + e * step) * Plan::columns +
                              part * Plan::wide + near);
    re[e] = value.x, im[e] = value.y;
  }
  room.roots.fill(factors, true);
  __syncthreads();
  transform_across<Plan::rows, points>(
      t, last_t, static_cast<const Complex<T>*>(room.roots.coarse), 1, room.memory,
      [=](int i) { return i * pitch + near; }, [=](int i) { return i * pitch + last_near; },
      [] { __syncthreads(); }, re, im);
  turn<points, false>(room.roots, last_t * column, step * column, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e) X[column * Plan::rows + last_t + e * step] = {re[e], im[e]};
}

template <typename Plan, typename T>
__device__ __forceinline__ void second_pass(Complex<T>* X, int part, Room<Plan, T>& room) {
  constexpr int points = Plan::points, step = Plan::columns / points;
  const int thread = static_cast<int>(threadIdx.x), near = thread % Plan::high, t = thread / Plan::high;
  auto* const at = reinterpret_cast<Pair<T>*>(X) + part * Plan::high + near;
  T re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const auto value = __ldcg(at + (t + e * step) * Plan::rows);
    re[e] = value.x, im[e] = value.y;
  }
  transform<Plan::columns, points>(
      t, static_cast<const Complex<T>*>(room.roots.coarse), Plan::rows / Plan::columns, room.memory,
      [=](int i) { return i * Plan::high + near; }, [] { __syncthreads(); }, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e) __stcs(at + (t + e * step) * Plan::rows, Pair<T>{re[e], im[e]});
}

template <typename Plan, typename T>
__global__ void __launch_bounds__(Plan::threads, Plan::resident)
    transform_in_cache(int batches, int behind, const Complex<T>* __restrict__ x,
                       const Complex<T>* __restrict__ factors, Complex<T>* X, Progress progress) {
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& room = *reinterpret_cast<Room<Plan, T>*>(bytes);
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(progress.descriptors);
  __syncthreads();
  // One block, the last, waits for the previous launch, which may still be running.
  if (taken.number == gridDim.x - 1) wait_for_last_launch();
  const int group = static_cast<int>(taken.number) / (2 * Plan::parts);
  const int within = static_cast<int>(taken.number) % (2 * Plan::parts), part = within % Plan::parts;
  const bool first = within < Plan::parts;
  const int number = first ? group : group - behind;
  if (number < 0 || number >= batches) return;
  const std::int64_t begin = static_cast<std::int64_t>(number) * Plan::rows * Plan::columns;
  unsigned* const done = progress.done + number;
  if (first) {
    first_pass(x + begin, factors, X + begin, part, room);
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(done, 1u);
    }
    return;
  }
  room.roots.fill(factors, false);
  if (threadIdx.x == 0) {
    const unsigned wanted = taken.epoch * Plan::parts;
    int peeks = progress.descriptors.poll_limit.peeks;
    unsigned there = 0;
    while (there != wanted && --peeks > 0)
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(there) : "l"(done) : "memory");
    if (there != wanted) progress.descriptors.poll_limit.give_up();
  }
  __syncthreads();
  second_pass(X + begin, part, room);
}

}  // namespace sextant::fft1d

namespace sextant::fft1d {

// The state of launches that all compute the same number of transforms.
class InCacheState {
 public:
  InCacheState() = default;
  ~InCacheState() { cudaFree(done_); }
  InCacheState(const InCacheState&) = delete;
  InCacheState& operator=(const InCacheState&) = delete;

  static std::int64_t bytes(std::int64_t batches) {
    return lookback::Tickets::bytes(1, sizeof(int)) + batches * static_cast<std::int64_t>(sizeof(unsigned));
  }

  // Allocates on the current device and sets the kernel's attributes.
  template <typename Plan, typename T>
  cudaError_t make(std::int64_t batches) {
    const std::size_t size = static_cast<std::size_t>(batches) * sizeof(unsigned);
    cudaError_t error =
        cudaFuncSetAttribute(transform_in_cache<Plan, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(sizeof(Room<Plan, T>)));
    if (error == cudaSuccess) error = tickets_.make(1, sizeof(int));
    if (error == cudaSuccess) error = cudaMalloc(&done_, size);
    return error == cudaSuccess ? cudaMemset(done_, 0, size) : error;
  }

  // Launches `batches` transforms. The second pass of a transform runs about `between` blocks after its first
  // pass, but at least one transform later. With `beside`, the launch may overlap with the previous one, but
  // ends after it.
  template <typename Plan, typename T>
  void launch(int batches, int between, bool beside, cudaStream_t stream, const Complex<T>* x,
              const void* factors, Complex<T>* X) const {
    const int behind = std::max(between / (2 * Plan::parts), 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(batches + behind) * 2 * Plan::parts);
    config.blockDim = dim3(Plan::threads);
    config.dynamicSmemBytes = sizeof(Room<Plan, T>);
    config.stream = stream;
    launch_next(config, beside, transform_in_cache<Plan, T>, batches, behind, x,
                static_cast<const Complex<T>*>(factors), X, Progress{tickets_.descriptors<int>(), done_});
  }

 private:
  lookback::Tickets tickets_;
  unsigned* done_ = nullptr;
};

}  // namespace sextant::fft1d
