// Tile shapes of `bulk_tile` (floats on the CUDA cores) and `bulk_tensor` (doubles on the tensor cores).
#pragma once

#include "bulk_pipeline.cuh"
#include "tensor_tile.cuh"

namespace sextant::matmul {

// Stores a thread's elements of one row of C. They form groups of four neighbours, which are 32 columns
// apart.
template <int count>
__device__ __forceinline__ void store_row(const float* from, std::int64_t row, std::int64_t column, int n,
                                          float* to) {
#pragma unroll
  for (int p = 0; p < count / 4; ++p) {
    const std::int64_t first = column + 32 * p;
    const float* four = from + 4 * p;
    if (n % 4 == 0) {
      if (first < n)
        *reinterpret_cast<float4*>(to + row * n + first) = make_float4(four[0], four[1], four[2], four[3]);
      continue;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (first + j < n) to[row * n + first + j] = four[j];
  }
}

// A tile shape of `bulk_tile`. Each thread accumulates thread_m by thread_n elements of C in registers.
// Threads may form groups ("slices"), which process different inner steps of a stage. A thread reads `run`
// elements of a row of A at once. `unrolled` is the number of groups of four inner steps that are unrolled.
// Unrolling hides the latency of shared memory, until the code exceeds the instruction cache.
template <int tile_m_, int tile_n_, int thread_m_, int thread_n_, int slices_, int stages_, int resident_,
          int run_, int unrolled_>
struct BulkShape {
  static constexpr bool turned = false, b_groups = false, reads_ahead = false;
  static constexpr int pitch_unit = 4;
  using T = float;
  static constexpr int tile_m = tile_m_, tile_n = tile_n_, thread_m = thread_m_, thread_n = thread_n_;
  static constexpr int slices = slices_, stages = stages_, resident = resident_, run = run_,
                       unrolled = unrolled_;
  static constexpr int depth = 32, ahead = stages - 1;
  static constexpr int group = tile_m / thread_m * (tile_n / thread_n), threads = group * slices;
  static constexpr int sums = thread_m * thread_n;
  static constexpr int a_bytes = tile_m * depth * 4, stage_bytes = a_bytes + tile_n * depth * 4;
  static constexpr int exchange_bytes = slices / 2 * tile_m * tile_n * 4;
  static constexpr Box a_box = {depth, tile_m, Swizzle::rows_of_128}, b_box = {tile_n, depth, Swizzle::none};
  static_assert(group % 32 == 0 && 8 % slices == 0 && 4 % run == 0);

  __device__ static __forceinline__ void bring(unsigned char* stage, const CUtensorMap* a,
                                               const CUtensorMap* b, int row, int column, int k,
                                               ArrivalBarrier come) {
    copy_box(stage, a, k, row, come);
    copy_box(stage + a_bytes, b, column, k, come);
  }

  // Position of a thread's first element in the tile. The thread has rows m, m + 4, … and columns n … n + 3,
  // n + 32 … n + 35, …. In a warp of 4 by 8 threads, neighbouring threads have the same rows or columns. That
  // halves the bank accesses of a 16-byte read per thread.
  struct Place {
    int m, n;
  };
  __device__ static __forceinline__ Place place() {
    constexpr int across = tile_n / (8 * thread_n);
    const int thread = static_cast<int>(threadIdx.x) % group, warp = thread / 32, lane = thread % 32;
    return {warp / across * 4 * thread_m + ((lane >> 1 & 1) | (lane >> 3 & 1) << 1),
            warp % across * 8 * thread_n + 4 * ((lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4) << 2)};
  }

  struct alignas(4 * run) Run {
    float at[run];
  };

  // The swizzle permutes the 16-byte vectors of rows r and r + 4 of A differently, so there are two
  // addresses, `even` and `odd`.
  __device__ static __forceinline__ void multiply(const unsigned char* stage, float (&c)[sums]) {
    const Place at = place();
    const float* a = reinterpret_cast<const float*>(stage) + at.m * depth;
    const float* b = reinterpret_cast<const float*>(stage + a_bytes) + at.n;
    const int slice = static_cast<int>(threadIdx.x) / group;
#pragma unroll unrolled
    for (int q = 0; q < 8 / slices; ++q) {
      const int piece = slice * (8 / slices) + q;
      const int even = 4 * (piece ^ (at.m & 7)), odd = 4 * (piece ^ ((at.m + 4) & 7));
#pragma unroll
      for (int first = 0; first < 4; first += run) {
        Run of_a[thread_m];
#pragma unroll
        for (int i = 0; i < thread_m; ++i)
          of_a[i] = *reinterpret_cast<const Run*>(a + 4 * i * depth + (i % 2 ? odd : even) + first);
#pragma unroll
        for (int k = 0; k < run; ++k) add_products(of_a, k, b + (4 * piece + first + k) * tile_n, c);
      }
    }
  }

  __device__ static __forceinline__ void add_products(const Run (&a)[thread_m], int k, const float* b,
                                                      float (&c)[sums]) {
    float4 of_b[thread_n / 4];
#pragma unroll
    for (int p = 0; p < thread_n / 4; ++p) of_b[p] = *reinterpret_cast<const float4*>(b + 32 * p);
#pragma unroll
    for (int i = 0; i < thread_m; ++i)
#pragma unroll
      for (int p = 0; p < thread_n / 4; ++p) {
        float* to = c + i * thread_n + 4 * p;
        to[0] += a[i].at[k] * of_b[p].x;
        to[1] += a[i].at[k] * of_b[p].y;
        to[2] += a[i].at[k] * of_b[p].z;
        to[3] += a[i].at[k] * of_b[p].w;
      }
  }

  // Adds the slices' partial sums pairwise, halving their number each time. Returns false for threads with
  // nothing to store.
  __device__ static __forceinline__ bool gather(float* exchange, float (&c)[sums]) {
    const int slice = static_cast<int>(threadIdx.x) / group, thread = static_cast<int>(threadIdx.x) % group;
#pragma unroll
    for (int half = slices / 2; half >= 1; half /= 2) {
      __syncthreads();
      if (slice >= half && slice < 2 * half)
#pragma unroll
        for (int i = 0; i < sums; ++i) exchange[((slice - half) * sums + i) * group + thread] = c[i];
      __syncthreads();
      if (slice < half)
#pragma unroll
        for (int i = 0; i < sums; ++i) c[i] += exchange[(slice * sums + i) * group + thread];
    }
    return slice == 0;
  }

  __device__ static __forceinline__ void store(float (&c)[sums], unsigned char* exchange, std::int64_t row,
                                               std::int64_t column, int n, float* to) {
    if constexpr (slices > 1)
      if (!gather(reinterpret_cast<float*>(exchange), c)) return;
    const Place at = place();
#pragma unroll
    for (int i = 0; i < thread_m; ++i) {
      const std::int64_t m = row + at.m + 4 * i;
      if (m < n) store_row<thread_n>(c + i * thread_n, m, column + at.n, n, to);
    }
  }
};

// Like BulkShape, for a transposed copy of A. A thread reads four rows of A at once, as it reads four columns
// of B. 128 products thus need six reads instead of ten. A thread has rows m … m + 3, m + 16 … m + 19, ….
template <int tile_m_, int tile_n_, int thread_m_, int thread_n_, int stages_, int resident_, int unrolled_>
struct TurnedShape {
  using T = float;
  static constexpr bool turned = true, b_groups = false, reads_ahead = false;
  static constexpr int pitch_unit = 4;
  static constexpr int tile_m = tile_m_, tile_n = tile_n_, thread_m = thread_m_, thread_n = thread_n_;
  static constexpr int stages = stages_, resident = resident_, unrolled = unrolled_, depth = 32,
                       ahead = stages - 1;
  static constexpr int threads = tile_m / thread_m * (tile_n / thread_n), sums = thread_m * thread_n;
  static constexpr int a_bytes = tile_m * depth * 4, stage_bytes = a_bytes + tile_n * depth * 4,
                       exchange_bytes = 0;
  static constexpr Box a_box = {tile_m, depth, Swizzle::none}, b_box = {tile_n, depth, Swizzle::none};

  __device__ static __forceinline__ void bring(unsigned char* stage, const CUtensorMap* a,
                                               const CUtensorMap* b, int row, int column, int k,
                                               ArrivalBarrier come) {
    copy_box(stage, a, row, k, come);
    copy_box(stage + a_bytes, b, column, k, come);
  }

  struct Place {
    int m, n;
  };
  __device__ static __forceinline__ Place place() {
    constexpr int across = tile_n / (8 * thread_n);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    return {warp / across * 4 * thread_m + 4 * ((lane >> 1 & 1) | (lane >> 3 & 1) << 1),
            warp % across * 8 * thread_n + 4 * ((lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4) << 2)};
  }

  struct Four {
    float at[4];
  };
  template <int pieces, int apart>
  __device__ static __forceinline__ void read_fours(const float* from, Four (&to)[pieces]) {
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      const float4 read = *reinterpret_cast<const float4*>(from + apart * p);
      to[p].at[0] = read.x, to[p].at[1] = read.y, to[p].at[2] = read.z, to[p].at[3] = read.w;
    }
  }
  __device__ static __forceinline__ void multiply(const unsigned char* stage, float (&c)[sums]) {
    const Place at = place();
    const float* a = reinterpret_cast<const float*>(stage) + at.m;
    const float* b = reinterpret_cast<const float*>(stage + a_bytes) + at.n;
#pragma unroll unrolled
    for (int k = 0; k < depth; ++k) {
      Four of_a[thread_m / 4], of_b[thread_n / 4];
      read_fours<thread_m / 4, 16>(a + k * tile_m, of_a);
      read_fours<thread_n / 4, 32>(b + k * tile_n, of_b);
#pragma unroll
      for (int i = 0; i < thread_m; ++i)
#pragma unroll
        for (int j = 0; j < thread_n; ++j)
          c[i * thread_n + j] += of_a[i / 4].at[i % 4] * of_b[j / 4].at[j % 4];
    }
  }

  __device__ static __forceinline__ void store(const float (&c)[sums], unsigned char*, std::int64_t row,
                                               std::int64_t column, int n, float* to) {
    const Place at = place();
#pragma unroll
    for (int i = 0; i < thread_m; ++i) {
      const std::int64_t m = row + at.m + 16 * (i / 4) + i % 4;
      if (m < n) store_row<thread_n>(c + i * thread_n, m, column + at.n, n, to);
    }
  }
};

// A tile shape of `bulk_tensor`: doubles on the tensor cores.
//
// The warps compute the transposed product C' = B' A' by mma instructions of 16 by 8 by 8: B supplies the 16
// rows, A the 8 columns. One 16-byte access of a lane reads two neighbours of a row of B or A. They are also
// neighbours among the instruction's operands, so no value moves between registers. The inner steps may be in
// any order: lane t takes steps 2t and 2t + 1 of the eight.

template <int tile_m_, int tile_n_, int warp_m_, int warp_n_, int stages_, int resident_>
struct BulkTensorShape {
  using T = double;
  static constexpr int tile_m = tile_m_, tile_n = tile_n_, warp_m = warp_m_, warp_n = warp_n_;
  static constexpr int stages = stages_, resident = resident_, depth = 16, ahead = stages - 2;
  static constexpr int threads = tile_m / warp_m * (tile_n / warp_n) * 32;
  static constexpr int across = warp_n / 16, down = warp_m / 8, sums = across * down * 4;
  static constexpr int a_row = depth * 8, a_bytes = tile_m * a_row;
  static constexpr int b_row = 16 * 8, b_bytes = depth * b_row;  // boxes of B are 16 columns wide
  static constexpr int stage_bytes = a_bytes + tile_n / 16 * b_bytes, exchange_bytes = 0;
  static constexpr Box a_box = {depth, tile_m, Swizzle::rows_of_128},
                       b_box = {16, depth, Swizzle::rows_of_128, tile_n / 16};
  static constexpr bool turned = false, b_groups = true, reads_ahead = true;
  static constexpr int pitch_unit = 16;

  __device__ static __forceinline__ void bring(unsigned char* stage, const CUtensorMap* a,
                                               const CUtensorMap* b, int row, int column, int k,
                                               ArrivalBarrier come) {
    copy_box(stage, a, k, row, come);
    copy_boxes(stage + a_bytes, b, 0, k, come, column / 16);
  }

  // Returns which of eight rows in memory is row i of an operand. Eight lanes read operand rows 2k and 2k + 1
  // at once. These are 4 rows apart, so that the swizzle puts their vectors in different banks.
  __device__ static __forceinline__ int row_of(int i) { return i / 2 + i % 2 * 4; }

  struct Place {
    int m, n, g, t;
  };
  __device__ static __forceinline__ Place place() {
    constexpr int warps = tile_n / warp_n;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    return {warp / warps * warp_m, warp % warps * warp_n, lane / 4, lane % 4};
  }

  struct Operands {
    double2 a[down], b[across][2];
  };
  __device__ static __forceinline__ void read(const unsigned char* stage, int half, Operands& operands) {
    const Place at = place();
    const int row = row_of(at.g);
    const unsigned char* a = stage + (at.m + row) * a_row + ((at.t + 4 * half) ^ row) * 16;
    const unsigned char* b = stage + a_bytes + at.n / 16 * b_bytes + (8 * half + 2 * at.t) * b_row;
#pragma unroll
    for (int m = 0; m < down; ++m) operands.a[m] = *reinterpret_cast<const double2*>(a + m * 8 * a_row);
#pragma unroll
    for (int j = 0; j < across; ++j)
#pragma unroll
      for (int i = 0; i < 2; ++i)
        operands.b[j][i] =
            *reinterpret_cast<const double2*>(b + j * b_bytes + i * b_row + (at.g ^ (2 * at.t + i)) * 16);
  }
  __device__ static __forceinline__ void add_products(const Operands& operands, double (&c)[sums]) {
#pragma unroll
    for (int m = 0; m < down; ++m)
#pragma unroll
      for (int j = 0; j < across; ++j) {
        const double2 *b = operands.b[j], a = operands.a[m];
        multiply_16x8x8(*reinterpret_cast<double(*)[4]>(c + (m * across + j) * 4),
                        {b[0].x, b[0].y, b[1].x, b[1].y}, {a.x, a.y});
      }
  }
  // Stores a thread's elements of C. In each 8 by 16 block of C, a lane holds two neighbours in each of two
  // rows.
  __device__ static __forceinline__ void store(const double (&c)[sums], unsigned char*, std::int64_t row,
                                               std::int64_t column, int n, double* to) {
    const Place at = place();
#pragma unroll
    for (int m = 0; m < down; ++m)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const std::int64_t r = row + at.m + 8 * m + row_of(2 * at.t + i);
        if (r >= n) continue;
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const double* from = c + (m * across + j) * 4 + i;
          const std::int64_t first = column + at.n + 16 * j + 2 * at.g;
          if (n % 2 == 0) {
            if (first < n) *reinterpret_cast<double2*>(to + r * n + first) = make_double2(from[0], from[2]);
            continue;
          }
          if (first < n) to[r * n + first] = from[0];
          if (first + 1 < n) to[r * n + first + 1] = from[2];
        }
      }
  }
};

}  // namespace sextant::matmul
