// Lines along y and z, a thread each, whose eliminated blocks stay on chip: a line is cut into segments of K rows. On the way
// forward only what is carried into each segment goes to memory; on the way back its rows are eliminated once more, from there,
// and what substitution needs of them is in shared memory. That is 25 + 60 / K numbers a point and axis for 75, and twice the
// elimination.
#pragma once

#include "lines.cuh"

namespace sextant::npb_bt {

inline constexpr int warp = 32, left_doubles = block_doubles + components;  // of a row that is eliminated

// Lines by warps: those of a row of interior points begin with a warp, so that each reads whole sectors.
struct LinesOfWarps {
  int inner, warps;  // of a row
  SEXTANT_FLOW explicit LinesOfWarps(std::int64_t n)
      : inner(static_cast<int>(n) - 2), warps((inner + warp - 1) / warp) {}
  // Blocks: those of a row, and rows.
  dim3 grid() const { return dim3(static_cast<unsigned>(warps), static_cast<unsigned>(inner)); }
  SEXTANT_FLOW std::int64_t columns() const { return std::int64_t{warp} * warps * inner; }
  // Doubles of scratch memory.
  std::int64_t scratch(int rows) const { return left_doubles * columns() * ((inner + rows - 1) / rows); }
};

// What a warp has in shared memory: of all rows of a segment but its last, which is in registers, what substitution needs; and
// the states of the points that segments begin with, as the last axis changes those in memory before the segment before asks for them.
template <int K>
struct Kept {
  double of_row[K - 1][left_doubles][warp], states[2][6][warp];

  __device__ void put_state(int segment, int lane, const Point<double>& s) {
    double(&to)[6][warp] = states[segment % 2];
    to[0][lane] = s.inverse, to[1][lane] = s.v[0], to[2][lane] = s.v[1], to[3][lane] = s.v[2];
    to[4][lane] = s.kappa, to[5][lane] = s.e;
  }
  __device__ Point<double> state(int segment, int lane) const {
    const double(&from)[6][warp] = states[segment % 2];
    return {from[0][lane], {from[1][lane], from[2][lane], from[3][lane]}, from[4][lane], from[5][lane]};
  }
};

// body(number, value) of an eliminated row's block and right side.
template <typename Body>
__device__ __forceinline__ void each_left(Carried<double>& carried, const Body& body) {
#pragma unroll
  for (int row = 0; row < components; ++row)
#pragma unroll
    for (int column = 0; column < components; ++column)
      body(components * row + column, carried.above[row][column]);
#pragma unroll
  for (int m = 0; m < components; ++m) body(block_doubles + m, carried.right[m]);
}

// Solves a line. `access` is told of each segment before it is asked for its places. What is outside has no unknown: the first
// row takes zeros from before it, and the last one's block meets zeros.
template <int axis, int K, typename Access>
__device__ __forceinline__ void solve_in_segments(const Line& line, const Scratch& scratch, Kept<K>& kept,
                                                  const Access& access) {
  const int lane = static_cast<int>(threadIdx.x) % warp, rows = static_cast<int>(line.n) - 2,
            last = (rows - 1) / K;
  Carried<double> carried = {};
  const auto eliminate = [&](int p, const Point<double>& next) {
    double right[components];
    access.get(p, right);
    eliminate_row<axis>(line, false, false, next, right, carried);
  };
#pragma unroll 1
  for (int segment = 0; segment < last; ++segment) {
    const int first = 1 + segment * K;
    access.begin_forward(first);
    if (segment == 0) carried.here = access.state(1);
    double* const left = scratch.data + segment * scratch.step;
    each_left(carried, [&](int e, double value) { left[e * scratch.size] = value; });
#pragma unroll 1
    for (int p = first; p < first + K; ++p) eliminate(p, access.state(p + 1));
  }
  double after[components] = {};
#pragma unroll 1
  for (int segment = last; segment >= 0; --segment) {
    const int first = 1 + segment * K, end = min(first + K, rows + 1);
    access.begin_back(first);
    if (segment < last) {
      const double* const left = scratch.data + segment * scratch.step;
      each_left(carried, [&](int e, double& value) { value = left[e * scratch.size]; });
      if (segment > 0)
        each_left(carried, [&](int e, double&) { fetch_ahead(left - scratch.step + e * scratch.size); });
    }
    carried.before = access.state(first - 1);
    carried.here = access.state(first);
    kept.put_state(segment, lane, carried.here);
#pragma unroll 1
    for (int p = first;; ++p) {
      const bool ends = p + 1 == end;
      eliminate(p, ends && segment < last ? kept.state(segment + 1, lane) : access.state(p + 1));
      if (ends) break;
      each_left(carried, [&](int e, double value) { kept.of_row[p - first][e][lane] = value; });
    }
#pragma unroll 1
    for (int p = end - 1;;) {
      substitute<double>(carried.above, after, carried.right);
#pragma unroll
      for (int m = 0; m < components; ++m) after[m] = carried.right[m];
      access.put(p, after);
      if (--p < first) break;
      each_left(carried, [&](int e, double& value) { value = kept.of_row[p - first][e][lane]; });
    }
  }
}

// Where a line's points are, whose neighbours along x lie together. What is next is on its way to the cache.
template <int axis, int K>
struct Strided {
  std::int64_t size, at, step;  // of a component; of point 0
  int n;
  double *u, *b;
  __device__ Point<double> state(int p) const { return stored_point(u, size, at + p * step); }
  __device__ void get(int p, double (&right)[components]) const {
#pragma unroll
    for (int m = 0; m < components; ++m) right[m] = b[m * size + at + p * step];
  }
  __device__ void put(int p, const double (&x)[components]) const {
#pragma unroll
    for (int m = 0; m < components; ++m) {
      if (axis == 2)
        u[m * size + at + p * step] += x[m];
      else
        b[m * size + at + p * step] = x[m];
    }
  }
  __device__ void fetch(int first, int end) const {
#pragma unroll 1
    for (int p = max(first, 1); p < min(end, n - 1); ++p)
#pragma unroll
      for (int m = 0; m < components; ++m) {
        fetch_ahead(u + m * size + at + p * step);
        fetch_ahead(b + m * size + at + p * step);
      }
  }
  __device__ void begin_forward(int first) const { fetch(first + K, first + 2 * K); }
  __device__ void begin_back(int first) const { fetch(first - K, first); }
};

// Lines along `axis`, 1 or 2, in blocks of a warp: LinesOfWarps::grid.
template <int axis, int K>
__global__ void __launch_bounds__(warp, 8)
    solve_segments(Grid g, Line line, double* __restrict__ scratch, double* u, double* b) {
  extern __shared__ double shared[];
  auto& kept = *reinterpret_cast<Kept<K>*>(shared);
  const LinesOfWarps lines(g.n);
  const int near = warp * static_cast<int>(blockIdx.x) + static_cast<int>(threadIdx.x),
            other = static_cast<int>(blockIdx.y);
  if (near >= lines.inner) return;
  const std::int64_t column = std::int64_t{warp} * lines.warps * other + near;
  const std::int64_t at = axis == 1 ? g.at(near + 1, 0, other + 1) : g.at(near + 1, other + 1, 0);
  const Strided<axis, K> access = {g.size(), at, g.step<axis>(), static_cast<int>(g.n), u, b};
  solve_in_segments<axis>(
      line, Scratch{scratch + column, lines.columns() * ((lines.inner + K - 1) / K), lines.columns()}, kept,
      access);
}

}  // namespace sextant::npb_bt
