// Helpers of the CUDA variants: each thread holds some rows of a system in registers, and threads cooperate
// to compute the last unknown of each thread.
#pragma once

#include "rows.hpp"
#include "suite/choices.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::tridiagonal {

// Device addresses of a call's arrays.
template <typename T>
struct Arrays {
  const T* __restrict__ a, * __restrict__ b, * __restrict__ c, * __restrict__ d;
  T* __restrict__ x;

  explicit Arrays(const Call& call)
      : a(call.array<const T>(0)),
        b(call.array<const T>(1)),
        c(call.array<const T>(2)),
        d(call.array<const T>(3)),
        x(call.array<T>(4)) {}
};

// The coefficients of K rows, loaded by accesses of `width` elements. Rows beyond the end of the system
// become the equation 1 x = 0.
template <int K, int width, typename T>
struct Coefficients {
  T a[K], b[K], c[K], d[K];

  // Loads K rows, starting with index `first`. Only the first `there` of them exist. `from` has members a, b,
  // c, d.
  template <typename From>
  __device__ __forceinline__ Coefficients(const From& from, std::int64_t first, std::int64_t there) {
#pragma unroll
    for (int v = 0; v < K; v += width) {
      Vector<T, width> of_a, of_b, of_c, of_d;
      const bool here = v < there;
      if (here) {
        of_a = load<width>(from.a + first + v);
        of_b = load<width>(from.b + first + v);
        of_c = load<width>(from.c + first + v);
        of_d = load<width>(from.d + first + v);
      }
#pragma unroll
      for (int e = 0; e < width; ++e) {
        a[v + e] = here ? of_a[e] : T(0);
        b[v + e] = here ? of_b[e] : T(1);
        c[v + e] = here ? of_c[e] : T(0);
        d[v + e] = here ? of_d[e] : T(0);
      }
    }
  }
};

template <int K, int width, typename T>
__device__ __forceinline__ void store_rows(const T (&x)[K], T* __restrict__ to, std::int64_t there) {
#pragma unroll
  for (int v = 0; v < K; v += width)
    if (v < there) {
      Vector<T, width> out;
#pragma unroll
      for (int e = 0; e < width; ++e) out[e] = x[v + e];
      store_streaming(to + v, out);
    }
}

// Calls function.template operator()<width>(), where width is the number of elements per access: 16 bytes if
// systems are aligned to 16 bytes, otherwise one element.
template <typename T, typename Function>
void with_width(const Problem& problem, Function&& function) {
  if (length_of(problem) % vector_length<T> == 0)
    function.template operator()<vector_length<T>>();
  else
    function.template operator()<1>();
}

// Parallel cyclic reduction: returns the last unknown of the calling lane. Each system belongs to `lanes`
// neighbouring lanes of a warp. All 32 lanes must call it. A shuffle without a source lane returns the lane's
// own value, which has no effect: the coupling beyond the ends of a system is 0.
template <typename T>
__device__ __forceinline__ T last_of_lane(const Segment<T>& mine, int lanes) {
  T behind[3];
#pragma unroll
  for (int e = 0; e < 3; ++e) behind[e] = __shfl_down_sync(~0u, mine.of_first[e], 1, lanes);
  Reduced<T> row = reduced(mine.of_last, behind);
  for (int step = 1; step < lanes; step *= 2) {
    const auto distance = static_cast<unsigned>(step);
    const Reduced<T> low = {__shfl_up_sync(~0u, row.before, distance, lanes),
                            __shfl_up_sync(~0u, row.behind, distance, lanes),
                            __shfl_up_sync(~0u, row.right, distance, lanes)};
    const Reduced<T> high = {__shfl_down_sync(~0u, row.before, distance, lanes),
                             __shfl_down_sync(~0u, row.behind, distance, lanes),
                             __shfl_down_sync(~0u, row.right, distance, lanes)};
    row = between(low, row, high);
  }
  return row.right;
}

// Tunable values of the variants with one system per block.
using Blocks = Choices<64, 128, 256, 512>;
using RowCounts = Choices<4, 8, 16>;

// Sets 4 rows per thread for systems of up to 256 rows, 8 for up to 2048 rows, else 16. With few rows,
// neighbouring threads' accesses are close together. Sets the smallest block that holds a system.
template <typename Shape>
void shape_block(const Problem& problem, Shape& shape) {
  const std::int64_t length = length_of(problem);
  shape.rows = length <= 4 * 64 ? 4 : length <= 8 * 256 ? 8 : 16;
  for (const int block : Blocks::list()) {
    shape.block_size = block;
    if (length <= shape.rows * block) return;
  }
}

// Shared memory for three numbers per thread. Two halves are used alternately, so that one barrier per write
// suffices.
template <int block, typename T>
struct Board {
  T at[2][3][block];

  __device__ __forceinline__ void write(int half, T first, T second, T third) {
    at[half][0][threadIdx.x] = first, at[half][1][threadIdx.x] = second, at[half][2][threadIdx.x] = third;
    __syncthreads();
  }
};

// Solves a system by parallel cyclic reduction; each of the block's threads has K rows. The board may be
// reused after the next barrier.
template <int block, int K, typename T>
__device__ __forceinline__ void solve_block(const Rows<K, T>& rows, Board<block, T>& board, T (&x)[K]) {
  const int t = static_cast<int>(threadIdx.x);
  board.write(1, rows.before[0], rows.last[0], rows.right[0]);
  T behind[3] = {};
#pragma unroll
  for (int e = 0; e < 3; ++e) behind[e] = t + 1 < block ? board.at[1][e][t + 1] : T(0);
  const Segment<T> mine = rows.segment();
  Reduced<T> row = reduced(mine.of_last, behind);
  int half = 0;
#pragma unroll
  for (int step = 1; step < block; step *= 2, half ^= 1) {
    board.write(half, row.before, row.behind, row.right);
    const auto of = [&](int other) -> Reduced<T> {
      if (other < 0 || other >= block) return {0, 0, 0};
      return {board.at[half][0][other], board.at[half][1][other], board.at[half][2][other]};
    };
    row = between(of(t - step), row, of(t + step));
  }
  board.write(half, row.right, 0, 0);
  rows.finish(t > 0 ? board.at[half][0][t - 1] : T(0), row.right, x);
}

}  // namespace sextant::tridiagonal
