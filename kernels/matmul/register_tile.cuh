// Computes C = A*B with register tiling: a block computes a tile of C, and each thread a small matrix of it.
// A pipeline of asynchronous copies loads tiles of A and B into shared memory. Any n and any alignment of
// rows is allowed; elements outside the matrices become zeros in shared memory. For problems with few tiles,
// threads may form groups ("slices"), which process different parts of the tile's inner dimension.
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::matmul {

// Copies `bytes` (4, 8 or 16) asynchronously to shared memory if `valid`, otherwise stores zeros without
// reading `from`. `from` must be aligned to `bytes`.
template <int bytes>
__device__ void copy_async(void* to, const void* from, bool valid) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                 "r"(valid ? 16 : 0));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from), "n"(bytes),
                 "r"(valid ? bytes : 0));
}
__device__ inline void close_group() { asm volatile("cp.async.commit_group;"); }
template <int groups>
__device__ void wait_for_all_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

// The shape of a block's work: tile size, elements per thread, slices of threads, and pipeline stages. A warp
// computes 4*thread_m by 8*thread_n elements of C.
template <typename T_, int block_m_, int block_n_, int block_k_, int thread_m_, int thread_n_, int slices_,
          int stages_, int resident_>
struct Shape {
  using T = T_;
  static constexpr int block_m = block_m_, block_n = block_n_, block_k = block_k_;
  static constexpr int thread_m = thread_m_, thread_n = thread_n_, slices = slices_, stages = stages_;
  static constexpr int resident = resident_;  // blocks that should be resident per multiprocessor
  static constexpr int group = block_m / thread_m * (block_n / thread_n);  // number of threads in each slice
  static constexpr int threads = group * slices;
  static constexpr int pack = 16 / sizeof(T);  // elements per 16-byte access to shared memory
  // A is stored transposed; the padding distributes stores over the banks.
  static constexpr int a_pitch = block_m + pack;
  static constexpr int stage = block_k * (a_pitch + block_n);  // elements per pipeline stage
  static constexpr int exchange = (slices - 1) * block_m * block_n;
  static constexpr int shared_bytes =
      static_cast<int>(sizeof(T)) * (stages * stage > exchange ? stages * stage : exchange);
  static_assert(threads % block_k == 0 && block_k % slices == 0 && group % 32 == 0);
};

// Starts the copies of one stage. They are columns [k0, k0 + block_k) of the tile's rows of A, and rows [k0,
// k0 + block_k) of the tile's columns of B. A copy of B has `width` elements: 16 bytes if rows are aligned,
// else one element.
template <typename S, int width>
__device__ void load_stage(std::int64_t n, const typename S::T* a, const typename S::T* b, std::int64_t row,
                           std::int64_t column, std::int64_t k0, typename S::T* stage) {
  using T = typename S::T;
  {
    constexpr int step = S::threads / S::block_k;
    const int k = threadIdx.x % S::block_k, m0 = threadIdx.x / S::block_k;
    const T* from = a + (row + m0) * n + k0 + k;
    T* to = stage + k * S::a_pitch + m0;
#pragma unroll
    for (int i = 0; i < (S::block_m + step - 1) / step; ++i) {
      if (S::block_m % step != 0 && m0 + i * step >= S::block_m) break;
      const bool valid = row + m0 + i * step < n && k0 + k < n;
      copy_async<sizeof(T)>(to + i * step, valid ? from + i * step * n : a, valid);
    }
  }
  T* tile = stage + S::block_k * S::a_pitch;
  constexpr int across = S::block_n / width;  // number of copies that a row of B takes
  if constexpr (S::threads >= across) {
    constexpr int step = S::threads / across;
    const int j = static_cast<int>(threadIdx.x) % across * width, k = threadIdx.x / across;
    const T* from = b + (k0 + k) * n + column + j;
#pragma unroll
    for (int i = 0; i < (S::block_k + step - 1) / step; ++i) {
      if (S::block_k % step != 0 && k + i * step >= S::block_k) break;
      const bool valid = k0 + k + i * step < n && column + j < n;
      copy_async<sizeof(T) * width>(tile + (k + i * step) * S::block_n + j, valid ? from + i * step * n : b,
                                    valid);
    }
  }
  static_assert(S::threads % across == 0);
}

// Position of a thread's elements in the tile. They form packs of `pack` neighbours. Pack i starts at row(i)
// and column(i).
template <typename S>
struct Place {
  int m, n;
  __device__ explicit Place(int thread) {
    constexpr int warps_n = S::block_n / (8 * S::thread_n);
    const int warp = thread / 32, lane = thread % 32;
    m = warp / warps_n * 4 * S::thread_m + lane / 8 * S::pack;
    n = warp % warps_n * 8 * S::thread_n + lane % 8 * S::pack;
  }
  __device__ int row(int piece) const { return m + piece * 4 * S::pack; }
  __device__ int column(int piece) const { return n + piece * 8 * S::pack; }
};

template <typename S, typename T = typename S::T>
__device__ void multiply_stage(const T* stage, int slice, Place<S> place, T (&c)[S::thread_m][S::thread_n]) {
  struct alignas(16) Pack {
    T at[S::pack];
  };
  const T* tile_b = stage + S::block_k * S::a_pitch;
#pragma unroll
  for (int kk = 0; kk < S::block_k / S::slices; ++kk) {
    const int k = slice * (S::block_k / S::slices) + kk;
    Pack a[S::thread_m / S::pack], b[S::thread_n / S::pack];
#pragma unroll
    for (int p = 0; p < S::thread_m / S::pack; ++p)
      a[p] = *reinterpret_cast<const Pack*>(stage + k * S::a_pitch + place.row(p));
#pragma unroll
    for (int p = 0; p < S::thread_n / S::pack; ++p)
      b[p] = *reinterpret_cast<const Pack*>(tile_b + k * S::block_n + place.column(p));
#pragma unroll
    for (int i = 0; i < S::thread_m; ++i)
#pragma unroll
      for (int j = 0; j < S::thread_n; ++j)
        c[i][j] += a[i / S::pack].at[i % S::pack] * b[j / S::pack].at[j % S::pack];
  }
}

// Adds the partial sums of all slices in the registers of the first slice, in the order of the slices.
template <typename S, typename T = typename S::T>
__device__ void gather_slices(T* shared, int slice, int thread, T (&c)[S::thread_m][S::thread_n]) {
  __syncthreads();
  if (slice > 0) {
    T* mine = shared + (slice - 1) * S::block_m * S::block_n + thread;
#pragma unroll
    for (int i = 0; i < S::thread_m * S::thread_n; ++i)
      mine[i * S::group] = c[i / S::thread_n][i % S::thread_n];
  }
  __syncthreads();
  if (slice > 0) return;
#pragma unroll 1
  for (int s = 0; s < S::slices - 1; ++s)
#pragma unroll
    for (int i = 0; i < S::thread_m * S::thread_n; ++i)
      c[i / S::thread_n][i % S::thread_n] += shared[s * S::block_m * S::block_n + thread + i * S::group];
}

// Computes the block's tile of C.
template <typename S, int width>
__device__ __forceinline__ void compute_tile(std::int64_t n, const typename S::T* __restrict__ a,
                                             const typename S::T* __restrict__ b,
                                             typename S::T* __restrict__ c) {
  using T = typename S::T;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* shared = reinterpret_cast<T*>(shared_bytes);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * S::block_m;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * S::block_n;
  const int slice = threadIdx.x / S::group, thread = threadIdx.x % S::group;
  const Place<S> place(thread);
  T sum[S::thread_m][S::thread_n] = {};

  const int steps = static_cast<int>((n + S::block_k - 1) / S::block_k);
  for (int s = 0; s < S::stages - 1; ++s) {
    if (s < steps) load_stage<S, width>(n, a, b, row, column, s * S::block_k, shared + s * S::stage);
    close_group();
  }
  int reading = 0, writing = S::stages - 1;
  for (int step = 0; step < steps; ++step) {
    wait_for_all_but<S::stages - 2>();
    __syncthreads();
    const int next = step + S::stages - 1;
    if (next < steps)
      load_stage<S, width>(n, a, b, row, column, static_cast<std::int64_t>(next) * S::block_k,
                           shared + writing * S::stage);
    close_group();
    multiply_stage<S>(shared + reading * S::stage, slice, place, sum);
    reading = reading + 1 == S::stages ? 0 : reading + 1;
    writing = writing + 1 == S::stages ? 0 : writing + 1;
  }
  if constexpr (S::slices > 1) {
    gather_slices<S>(shared, slice, thread, sum);
    if (slice > 0) return;
  }
#pragma unroll
  for (int i = 0; i < S::thread_m; ++i) {
    const std::int64_t m = row + place.row(i / S::pack) + i % S::pack;
    if (m >= n) continue;
#pragma unroll
    for (int j = 0; j < S::thread_n; ++j) {
      const std::int64_t at = column + place.column(j / S::pack) + j % S::pack;
      if (at < n) c[m * n + at] = sum[i][j];
    }
  }
}

template <typename S, int width>
__global__ void __launch_bounds__(S::threads, S::resident)
    register_tile(std::int64_t n, const typename S::T* __restrict__ a, const typename S::T* __restrict__ b,
                  typename S::T* __restrict__ c) {
  compute_tile<S, width>(n, a, b, c);
}

// ---- host code for every kernel whose blocks compute block_m by block_n elements of C

// Sets the kernel's shared-memory limit. Returns null, or the reason for failure.
template <typename S, typename T>
const char* allow_shared_memory(void (*kernel)(std::int64_t, const T*, const T*, T*)) {
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // Clears the error; a later check would report it.
  return "this GPU has too little shared memory for the tile";
}

template <typename S, typename T>
void launch_tiles(void (*kernel)(std::int64_t, const T*, const T*, T*), const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 grid(static_cast<unsigned>((n + S::block_n - 1) / S::block_n),
                  static_cast<unsigned>((n + S::block_m - 1) / S::block_m));
  kernel<<<grid, S::threads, S::shared_bytes, static_cast<cudaStream_t>(call.stream)>>>(
      n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace sextant::matmul
