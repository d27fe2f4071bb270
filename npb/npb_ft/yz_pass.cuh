// The pass along y or z. A block takes a tile of lines, columns side by side, and transforms them in
// registers (lines.cuh): it reads them from `from`, applies the decay if there is one, and writes them to
// `to`, each in an order of its own. Where planes have two parts (in_planes.cuh), the pass along z also does
// the pass of radix 2 of the transform along y.
#pragma once

#include "lines.cuh"

namespace sextant::npb_ft {

// What element a thread has first: number `thread` of the line in column x of a row of columns of a tile.
// Tiles have three numbers, of which the first runs fastest: neighbouring blocks should have neighbouring
// memory.
struct YzPlace {
  int thread, x, row;
  int first, second, third;
};

// Where the elements of tiles lie.
struct Tiles {
  std::int64_t first, second, third;  // from a tile to the next by each number
  std::int64_t group;                 // from 2^log_group elements of a line to the next as many
  int inner;                          // from one of these to the next
  int row;                            // from 2^log_width columns, side by side, to the next as many
  int log_group;

  __device__ __forceinline__ std::int64_t index(const YzPlace& at) const {
    return at.first * first + at.second * second + at.third * third + at.x + at.row * row +
           (at.thread >> log_group) * group + (at.thread & ((1 << log_group) - 1)) * inner;
  }
  // From a thread's element to its next, `threads` further.
  __device__ __forceinline__ std::int64_t step(int threads) const { return (threads >> log_group) * group; }
};

// The x or y that a tile's numbers (third: none) and the row of its columns stand for.
struct TileStart {
  int first, second, row;
  __device__ int operator()(int first_, int second_, int row_) const {
    return first_ * first + second_ * second + row_ * row;
  }
};

struct YzPass {
  const Pair* from;
  Pair* to;  // may be `from` if the orders are the same
  Tiles read, write;
  const Pair* factors;
  // The decay by x, by y and along the line; null: none. With it parts are exchanged.
  const double *of_x, *of_y, *of_line;
  TileStart x, y;             // of a tile
  int log_first, log_second;  // how many tiles by each number
  int log_width;
};

// The pass of radix 2 that is left of a transform along y where planes have two parts: the inverse
// transform's first, the forward one's last. It combines rows y and y + ny / 2, which lanes `distance` apart
// hold; row 0 of the two then belongs to even y, row 1 to odd y.
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

// Multiplies a line's elements by the decay and exchanges their parts.
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

// Block: columns x threads of a line. Dynamic shared memory: exchange_elements of double a column. joined:
// with join_rows, for planes of two parts.
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
