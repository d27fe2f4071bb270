// The pass along y or z of NAS FT. A thread block transforms a tile of adjacent lines in registers
// (lines.cuh). It reads them from `from`, multiplies by the decay factors if there are any, and writes them
// to `to` in another layout. If planes are split into two parts (in_planes.cuh), the pass along z also does
// the last radix-2 pass along y.
#pragma once

#include "lines.cuh"

namespace sextant::npb_ft {

// Position of a thread's first element: element `thread` of the line in column x of row `row` of a tile. A
// tile has three indices. The first varies fastest, so that adjacent thread blocks access adjacent memory.
struct YzPlace {
  int thread, x, row;
  int first, second, third;
};

// Layout of the elements of tiles. All members except log_group are distances in elements.
struct Tiles {
  std::int64_t first, second, third;  // between adjacent tiles, along each of the three indices
  std::int64_t group;                 // between groups of 2^log_group elements of a line
  int inner;                          // between adjacent elements of such a group
  int row;                            // between rows of 2^log_width adjacent columns
  int log_group;

  __device__ __forceinline__ std::int64_t index(const YzPlace& at) const {
    return at.first * first + at.second * second + at.third * third + at.x + at.row * row +
           (at.thread >> log_group) * group + (at.thread & ((1 << log_group) - 1)) * inner;
  }
  // Returns the distance between a thread's elements, which are `threads` apart along the line.
  __device__ __forceinline__ std::int64_t step(int threads) const { return (threads >> log_group) * group; }
};

// Converts the indices of a tile, and a row of its columns, to a position along x or y. The third index is
// not needed.
struct TileStart {
  int first, second, row;
  __device__ int operator()(int first_, int second_, int row_) const {
    return first_ * first + second_ * second + row_ * row;
  }
};

struct YzPass {
  const Pair* from;
  Pair* to;  // may equal `from` if the layouts are the same
  Tiles read, write;
  const Pair* factors;
  // Decay factors along x, along y and along the line; null: none. With decay factors, real and imaginary
  // parts are also swapped.
  const double *of_x, *of_y, *of_line;
  TileStart x, y;             // position of a tile along x and y
  int log_first, log_second;  // log2 of the number of tiles along each index
  int log_width;
};

// Performs the radix-2 pass along y that remains if planes are split into two parts. It comes first in the
// inverse transform and last in the forward one. It combines rows y and y + ny / 2, which are in lanes
// `distance` apart. Row 0 then holds even y and row 1 odd y.
template <int points>
__device__ __forceinline__ void join_rows(bool inverse, int y, int ny, int row, int distance,
                                          double (&re)[points], double (&im)[points]) {
  double sine, cosine;
  sincospi(2.0 * (row * y) / ny, &sine, &cosine);
  const int threads = static_cast<int>(blockDim.x * blockDim.y);
  const unsigned everyone = threads < 32 ? (1u << threads) - 1 : ~0u;
  const double sign = row ? -1 : 1;
#pragma unroll
  for (int e = 0; e < points; ++e) {
    if (!inverse) rotate(re[e], im[e], cosine, sine);
    const double other_re = __shfl_xor_sync(everyone, re[e], distance);
    const double other_im = __shfl_xor_sync(everyone, im[e], distance);
    re[e] = other_re + sign * re[e];
    im[e] = other_im + sign * im[e];
    if (inverse) rotate(re[e], im[e], cosine, sine);
  }
}

__device__ __forceinline__ YzPlace yz_place(const YzPass& pass, int tile) {
  const int column = static_cast<int>(threadIdx.x);
  return {static_cast<int>(threadIdx.y),
          column & ((1 << pass.log_width) - 1),
          column >> pass.log_width,
          tile & ((1 << pass.log_first) - 1),
          tile >> pass.log_first & ((1 << pass.log_second) - 1),
          tile >> (pass.log_first + pass.log_second)};
}

// Multiplies a line's elements by the decay factors and swaps their real and imaginary parts.
template <int points>
__device__ __forceinline__ void evolve_line(const YzPass& pass, const YzPlace& at, int threads,
                                            double (&re)[points], double (&im)[points]) {
  const double common =
      pass.of_x[pass.x(at.first, at.second, at.row) + at.x] * pass.of_y[pass.y(at.first, at.second, at.row)];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const double factor = common * pass.of_line[at.thread + e * threads], old = re[e];
    re[e] = im[e] * factor;
    im[e] = old * factor;
  }
}

// Transforms lines along y or z. A thread block has as many threads as its columns have in total. Dynamic
// shared memory must hold exchange_elements doubles per column. With `joined`, the pass includes join_rows,
// for planes that are split into two parts.
template <int n, int points, bool joined = false>
__global__ void __launch_bounds__(most_threads(points)) transform_yz(YzPass pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = n / points;
  const int columns = static_cast<int>(blockDim.x);
  const YzPlace at = yz_place(pass, static_cast<int>(blockIdx.x));
  const Exchange<points> exchange{reinterpret_cast<double*>(shared) + threadIdx.x, columns};
  double re[points], im[points];
  load_line(pass.from + pass.read.index(at), pass.read.step(threads), re, im);
  if (pass.of_line) evolve_line(pass, at, threads, re, im);
  passes<n, points, 1>(at.thread, pass.factors, exchange, re, im);
  if constexpr (joined)
    join_rows(pass.of_line != nullptr, pass.y(at.first, at.second, 0), pass.y.row * 2, at.row, columns / 2,
              re, im);
  store_line(pass.to + pass.write.index(at), pass.write.step(threads), re, im);
}

}  // namespace sextant::npb_ft
