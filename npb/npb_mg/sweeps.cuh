// The two fused sweeps of a V-cycle on CUDA. A warp marches along z over a tile of four rows with 28 or 60
// columns, one or two columns per lane, and a halo on either side. Lanes exchange neighbours along x by
// shuffles, so warps need no barrier. Large grids have kernels of their own, in which the distance of rows is
// a constant.
//
// A 27-point stencil reads each plane once. In a plane let a be a point, b the sum of its four side
// neighbours and c the sum of its four diagonal neighbours. The result for a point is m = w0 a + w1 b + w2 c
// of its own plane, plus e = w1 a + w2 b + w3 c of the planes before and after. For each row a lane keeps one
// partial sum and the last e.
#pragma once

#include <cuda_runtime.h>

#include "problem.hpp"

namespace sextant::npb_mg {

inline constexpr int tile_rows = 4;
// Warps per thread block. They are adjacent along y, so that common rows hit in the L1 cache.
inline constexpr int block_warps = 4;

// A periodic grid of side 2^bits.
struct Grid {
  int bits;
  __host__ __device__ int side() const { return 1 << bits; }
  __device__ __forceinline__ int wrapped(int i) const { return i & ((1 << bits) - 1); }
  // Returns the offset of row j of plane k.
  __device__ __forceinline__ int row(int k, int j) const {
    return ((wrapped(k) << bits) + wrapped(j)) << bits;
  }
};

// A grid, and the number of planes per warp, which is even.
struct Cut {
  Grid grid;
  int planes;
};

// Returns the grid of a kernel: of side 2^fixed, or `grid` if `fixed` is 0.
template <int fixed>
__device__ __forceinline__ Grid grid_of(Grid grid) {
  return fixed ? Grid{fixed} : grid;
}

// ---- a lane's elements of a row: one, or two adjacent ones with the first at an even index ----

struct alignas(16) Pair {
  double even, odd;
};
__device__ __forceinline__ Pair operator+(Pair a, Pair b) { return {a.even + b.even, a.odd + b.odd}; }
__device__ __forceinline__ Pair operator-(Pair a, Pair b) { return {a.even - b.even, a.odd - b.odd}; }
__device__ __forceinline__ Pair operator*(double a, Pair b) { return {a * b.even, a * b.odd}; }

// Constants of a sweep for one or two columns per lane. columns: columns of a tile without halo; even,
// because coarse points need pairs. before_down, before_up: lanes before the tile's first column that the
// downward or upward sweep needs as halo. resident_down, resident_up: thread blocks that should be resident
// per multiprocessor.
template <typename Value>
struct Shape;
template <>
struct Shape<double> {
  static constexpr int length = 1, columns = 28, before_down = 1, before_up = 2, resident_down = 5,
                       resident_up = 4;
};
template <>
struct Shape<Pair> {
  static constexpr int length = 2, columns = 60, before_down = 1, before_up = 1, resident_down = 4,
                       resident_up = 2;
};

__device__ __forceinline__ double from_left(double value) { return __shfl_up_sync(0xffffffffU, value, 1); }
__device__ __forceinline__ double from_right(double value) { return __shfl_down_sync(0xffffffffU, value, 1); }

// Returns the sum of an element's two neighbours in its row. Invalid at the warp's two ends.
__device__ __forceinline__ double beside(double value) { return from_left(value) + from_right(value); }
__device__ __forceinline__ Pair beside(Pair value) {
  return {from_left(value.odd) + value.odd, value.even + from_right(value.even)};
}

__device__ __forceinline__ double sum_of_squares(double value) { return value * value; }
__device__ __forceinline__ double sum_of_squares(Pair value) {
  return value.even * value.even + value.odd * value.odd;
}

// Loads the elements at `from`. `interpolated` computes a fine row's elements at x from a coarse row.
template <typename Value>
__device__ __forceinline__ Value load_value(const double* from) {
  return *reinterpret_cast<const Value*>(from);
}
__device__ __forceinline__ void store_value(double* to, double value) { *to = value; }
__device__ __forceinline__ void store_value(double* to, Pair value) { *reinterpret_cast<Pair*>(to) = value; }

template <typename Value>
__device__ __forceinline__ Value interpolated(const Grid& coarse, const double* row, int x) {
  const double low = row[coarse.wrapped((x - 1) >> 1)], high = row[x >> 1];
  if constexpr (Shape<Value>::length == 1)
    return 0.5 * (low + high);
  else
    return {0.5 * (low + high), high};
}

// The position of a lane: its first column x, its first row j0 and its planes k0 … k1 - 1. `own` is false for
// lanes in the halo.
template <typename Value>
struct Place {
  int x, j0, k0, k1;
  bool row_exists, own;

  __device__ Place(const Grid& grid, int planes, int lanes_before) {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int column = (lane - lanes_before) * Shape<Value>::length, n = grid.side();
    const int first = static_cast<int>(blockIdx.x) * Shape<Value>::columns;
    x = grid.wrapped(first + column);
    j0 = (static_cast<int>(blockIdx.y) * block_warps + warp) * tile_rows;
    row_exists = j0 < n;
    own = row_exists && column >= 0 && column < Shape<Value>::columns && first + column < n;
    k0 = static_cast<int>(blockIdx.z) * planes;
    k1 = min(k0 + planes, n);
  }
};

// Offsets of a lane's elements in rows j0 - before … j0 + tile_rows - 1 + after. The tile's own rows are
// contiguous in memory; halo rows may be at the opposite side of the grid.
template <typename Value, int before, int after>
struct Rows {
  int own, around[before + after];
  __device__ __forceinline__ Rows(const Grid& grid, const Place<Value>& place)
      : own((place.j0 << grid.bits) + place.x) {
#pragma unroll
    for (int i = 0; i < before; ++i) around[i] = grid.row(0, place.j0 - before + i) + place.x;
#pragma unroll
    for (int i = 0; i < after; ++i) around[before + i] = grid.row(0, place.j0 + tile_rows + i) + place.x;
  }
  __device__ __forceinline__ void load(const Grid& grid, const double* field, int k,
                                       Value (&to)[before + tile_rows + after]) const {
    const double* const plane = field + (grid.wrapped(k) << 2 * grid.bits);
#pragma unroll
    for (int i = 0; i < before; ++i) to[i] = load_value<Value>(plane + around[i]);
    const double* const first = plane + own;
#pragma unroll
    for (int i = 0; i < tile_rows; ++i) to[before + i] = load_value<Value>(first + (i << grid.bits));
#pragma unroll
    for (int i = 0; i < after; ++i)
      to[before + tile_rows + i] = load_value<Value>(plane + around[before + i]);
  }
};

// Returns the sum of `value` over a block's threads in a fixed order. Valid in thread 0 only.
__device__ inline double block_sum(double value) {
  __shared__ double sums[32];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffU, value, step);
  const int warp = static_cast<int>(threadIdx.x) / 32, warps = (static_cast<int>(blockDim.x) + 31) / 32;
  if (threadIdx.x % 32 == 0) sums[warp] = value;
  __syncthreads();
  double sum = 0;
  if (threadIdx.x == 0)
    for (int i = 0; i < warps; ++i) sum += sums[i];
  return sum;
}

// ---- downward sweep ----

// Flags that select what the downward sweep does with r = v - A u.
enum Down : int { restricting = 1, summing = 2, storing = 4 };

// Returns the restriction of a row along x. Valid in lanes that have a coarse element.
__device__ __forceinline__ double restricted(double sum) { return 0.5 * sum + 0.25 * beside(sum); }
__device__ __forceinline__ double restricted(Pair sum) {
  return 0.5 * sum.odd + 0.25 * (sum.even + from_right(sum.even));
}

// Downward sweep: computes r = v - A u. `coarse` receives the restricted r, of side n / 2; `partial` receives
// the sum of squares of each thread block; `to` receives r itself.
template <typename Value, int fixed, int what>
__global__ void __launch_bounds__(32 * block_warps, Shape<Value>::resident_down)
    sweep_down(Cut cut, const double* __restrict__ u, const double* __restrict__ v,
               double* __restrict__ coarse, double* __restrict__ partial, double* __restrict__ to) {
  constexpr int rows = tile_rows;
  const Grid grid = grid_of<fixed>(cut.grid), half{grid.bits - 1};
  const Place<Value> place(grid, cut.planes, Shape<Value>::before_down);
  const Rows<Value, 1, 2> u_rows(grid, place);
  const Rows<Value, 0, 1> v_rows(grid, place);
  const bool has_coarse = place.own && (Shape<Value>::length == 2 || place.x % 2 != 0);
  const int k0 = place.k0, k1 = place.k1, coarse_own = (place.j0 / 2 << half.bits) + place.x / 2;
  Value begun[rows + 1] = {}, last[rows + 1] = {}, sum[rows / 2] = {};
  double squares = 0;

  if (place.row_exists)
    for (int k = k0 - 1; k <= k1 + 1; ++k) {
      Value w[rows + 3], r[rows + 1];
      u_rows.load(grid, u, k, w);
      v_rows.load(grid, v, k - 1, r);
      Value before = beside(w[0]), here = beside(w[1]);
#pragma unroll
      for (int i = 0; i <= rows; ++i) {
        const Value after = beside(w[i + 2]);
        const Value b = here + (w[i] + w[i + 2]), c = before + after;
        const Value e = a_edge * b + a_corner * c;
        r[i] = r[i] - (begun[i] + e);
        begun[i] = a_centre * w[i + 1] + (a_edge * c + last[i]);
        last[i] = e;
        before = here;
        here = after;
      }
      if (k <= k0) continue;
      const int plane_of_r = k - 1;  // takes the values k0 … k1
      if ((what & (summing | storing)) != 0 && place.own && plane_of_r < k1)
#pragma unroll
        for (int i = 0; i < rows; ++i) {
          if (what & summing) squares += sum_of_squares(r[i]);
          if (what & storing)
            store_value(to + (plane_of_r << 2 * grid.bits) + (i << grid.bits) + v_rows.own, r[i]);
        }
      if (!(what & restricting)) continue;
      if (plane_of_r & 1) {
#pragma unroll
        for (int i = 0; i < rows / 2; ++i) sum[i] = sum[i] + (0.5 * (r[2 * i] + r[2 * i + 2]) + r[2 * i + 1]);
        continue;
      }
#pragma unroll
      for (int i = 0; i < rows / 2; ++i) {
        const Value part = 0.25 * (r[2 * i] + r[2 * i + 2]) + 0.5 * r[2 * i + 1];
        const double value = restricted(sum[i] + part);
        if (has_coarse && plane_of_r > k0)
          coarse[((plane_of_r / 2 - 1) << 2 * half.bits) + (i << half.bits) + coarse_own] = value;
        sum[i] = part;
      }
    }
  if constexpr ((what & summing) != 0) {
    const double total = block_sum(squares);
    if (threadIdx.x == 0) partial[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = total;
  }
}

// Computes a norm: the square root of the sum of `count` partial sums divided by `points`.
__global__ static void add_partials(int count, double points, const double* partial, double* norm) {
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *norm = sqrt(sum / points);
}

// ---- upward sweep ----

// Loads `count` rows of a plane of the coarse field, starting with row `first`. Interpolates them along x to
// the lane's elements.
template <typename Value, int count>
__device__ __forceinline__ void load_coarse(const Grid& coarse, const double* z, int plane, int first, int x,
                                            Value (&line)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) line[i] = interpolated<Value>(coarse, z + coarse.row(plane, first + i), x);
}

// Upward sweep: computes w = u + Q z (w = Q z if from_zero), r = v - A w and to = w + S r.
template <typename Value, int fixed, bool from_zero>
__global__ void __launch_bounds__(32 * block_warps, Shape<Value>::resident_up)
    sweep_up(Cut cut, Smoother smoother, const double* __restrict__ u, const double* __restrict__ z,
             const double* __restrict__ v, double* __restrict__ to) {
  constexpr int rows = tile_rows;
  __shared__ Value kept[3][rows][32 * block_warps];  // w of each thread in the last three planes
  const Grid grid = grid_of<fixed>(cut.grid), coarse{grid.bits - 1};
  const Place<Value> place(grid, cut.planes, Shape<Value>::before_up);
  if (!place.row_exists) return;
  const Rows<Value, 2, 2> u_rows(grid, place);
  const Rows<Value, 1, 1> v_rows(grid, place);
  const int k0 = place.k0, k1 = place.k1, first_coarse = place.j0 / 2 - 2;
  const int thread = static_cast<int>(threadIdx.x);
  int slot = 0;
  Value begun[rows + 2] = {}, last[rows + 2] = {};  // partial sums for A w
  Value begun_s[rows] = {}, last_s[rows] = {};      // partial sums for S r
  Value coarse_line[rows / 2 + 3];  // the plane of the coarse field at or before the current plane
  load_coarse(coarse, z, k0 / 2 - 2, first_coarse, place.x, coarse_line);

  for (int k = k0 - 2; k <= k1 + 1; ++k) {
    Value w[rows + 4], r[rows + 2];
    if (!from_zero) u_rows.load(grid, u, k, w);
    v_rows.load(grid, v, k - 1, r);
    {
      Value line[rows / 2 + 3];
      if (k & 1) {
#pragma unroll
        for (int i = 0; i < rows / 2 + 3; ++i) line[i] = coarse_line[i];
      } else {
        Value next[rows / 2 + 3];
        load_coarse(coarse, z, k >> 1, first_coarse, place.x, next);
#pragma unroll
        for (int i = 0; i < rows / 2 + 3; ++i) {
          line[i] = 0.5 * (coarse_line[i] + next[i]);
          coarse_line[i] = next[i];
        }
      }
#pragma unroll
      for (int i = 0; i < rows + 4; ++i) {
        const Value add = i % 2 != 0 ? line[i / 2 + 1] : 0.5 * (line[i / 2] + line[i / 2 + 1]);
        w[i] = from_zero ? add : w[i] + add;
      }
    }
    const int oldest = slot == 2 ? 0 : slot + 1;  // the slot of plane k - 2
#pragma unroll
    for (int i = 0; i < rows; ++i) kept[slot][i][thread] = w[i + 2];
    Value before = beside(w[0]), here = beside(w[1]);
#pragma unroll
    for (int i = 0; i < rows + 2; ++i) {
      const Value after = beside(w[i + 2]);
      const Value b = here + (w[i] + w[i + 2]), c = before + after;
      const Value e = a_edge * b + a_corner * c;
      r[i] = r[i] - (begun[i] + e);  // r of plane k - 1; valid from plane k0 on
      begun[i] = a_centre * w[i + 1] + (a_edge * c + last[i]);
      last[i] = e;
      before = here;
      here = after;
    }
    before = beside(r[0]);
    here = beside(r[1]);
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const Value after = beside(r[i + 2]);
      const Value b = here + (r[i] + r[i + 2]), c = before + after;
      const Value e = smoother.face * r[i + 1] + smoother.edge * b;
      if (k >= k0 + 2 && place.own)
        store_value(to + ((k - 2) << 2 * grid.bits) + (i << grid.bits) + u_rows.own,
                    kept[oldest][i][thread] + (begun_s[i] + e));
      begun_s[i] = smoother.centre * r[i + 1] + (smoother.face * b + (smoother.edge * c + last_s[i]));
      last_s[i] = e;
      before = here;
      here = after;
    }
    slot = oldest;
  }
}

}  // namespace sextant::npb_mg
