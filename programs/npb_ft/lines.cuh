// Transforms of lines with the values in registers: a line of n is shared by n / points threads, each of
// which holds `points` of its elements; between passes of radix `points` (the last may be smaller) the
// threads exchange them through shared memory (Stockham's order; Govindaraju et al., "High performance
// discrete Fourier transforms on graphics processors", SC 2008). The field is read and written once.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <type_traits>

#include "butterfly.hpp"
#include "problem.hpp"

namespace sextant::npb_ft {

// Threads of a block at most: with 128, 64 or 32 values in registers that is what a multiprocessor has room
// for once (255 registers for each of 256 threads, 128 for each of 512, 64 for each of 1024).
constexpr int most_threads(int points) { return points <= 8 ? 1024 : points == 16 ? 512 : 256; }

struct alignas(16) Pair {  // a complex number that moves in one access
  double re, im;
};

// What the threads of a line exchange through, of type double: real parts first, then imaginary ones in the
// same place, which takes half the memory and twice the barriers; of type Pair: both at once. Lines lie side
// by side in column-major order when `columns` > 1. One element in every `points` is left out, so that the
// stores of a pass with that radix spread over all banks.
template <int points, typename Element = double>
struct Exchange {
  Element* memory;
  int columns;

  // Element i of this thread becomes element to(i) of the line, and what is element from(i) then its i.
  template <typename To, typename From>
  __device__ __forceinline__ void operator()(To&& to, From&& from, double (&re)[points],
                                             double (&im)[points]) const {
    if constexpr (std::is_same_v<Element, double>) {
      move(to, from, re);
      __syncthreads();
      move(to, from, im);
    } else {
#pragma unroll
      for (int i = 0; i < points; ++i) at(to(i)) = {re[i], im[i]};
      __syncthreads();
#pragma unroll
      for (int i = 0; i < points; ++i) {
        const Pair value = at(from(i));
        re[i] = value.re;
        im[i] = value.im;
      }
    }
  }

 private:
  __device__ __forceinline__ Element& at(int i) const { return memory[(i + i / points) * columns]; }

  template <typename To, typename From>
  __device__ __forceinline__ void move(To&& to, From&& from, double (&values)[points]) const {
#pragma unroll
    for (int i = 0; i < points; ++i) at(to(i)) = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < points; ++i) values[i] = at(from(i));
  }
};

constexpr int log2_of(std::int64_t value) { return std::bit_width(static_cast<std::uint64_t>(value)) - 1; }

constexpr int exchange_elements(int n, int points) { return n + n / points; }

// One pass after `done` = the product of the radices before it, then the rest. v[e] is element thread + e * n
// / points. factors[done k + g - 1] is (cos, sin) of 2 pi k g / (done radix).
template <int n, int points, int done, typename Element>
__device__ __forceinline__ void passes(int thread, const Pair* factors,
                                       const Exchange<points, Element>& exchange, double (&re)[points],
                                       double (&im)[points]) {
  constexpr int radix = n / done < points ? n / done : points, butterflies = points / radix;
  constexpr int threads = n / points;
#pragma unroll
  for (int b = 0; b < butterflies; ++b) {
    double part_re[radix], part_im[radix];
    const int group = (thread + b * threads) % done;
#pragma unroll
    for (int k = 0; k < radix; ++k) {
      part_re[k] = re[b + k * butterflies];
      part_im[k] = im[b + k * butterflies];
      if (done > 1 && k > 0) {
        const Pair factor = factors[done * k + group - 1];
        rotate(part_re[k], part_im[k], factor.re, factor.im);
      }
    }
    butterfly<radix>(part_re, part_im);
#pragma unroll
    for (int k = 0; k < radix; ++k) {
      re[b + k * butterflies] = part_re[k];
      im[b + k * butterflies] = part_im[k];
    }
  }
  if constexpr (done * radix < n) {
    const auto to = [=](int i) {
      const int b = i % butterflies, k = i / butterflies, j = thread + b * threads, group = j % done;
      return (j - group) * radix + group + k * done;
    };
    const auto from = [=](int i) { return thread + i * threads; };
    if (done > 1) __syncthreads();  // the last exchange has been read
    exchange(to, from, re, im);
    passes<n, points, done * radix>(thread, factors, exchange, re, im);
  }
}

// The factors of a dimension as `passes` wants them: n - 1 entries.
inline __device__ Pair factor_at(int index, int n, int points) {
  int done = 1;
  while (done * points <= index + 1) done *= points;
  const int radix = min(points, n / done), k = (index + 1) / done, group = (index + 1) % done;
  Pair factor;
  sincospi(2.0 * k * group / (done * radix), &factor.im, &factor.re);
  return factor;
}

// The random start's elements first, first + threads, and so on, parts exchanged.
template <int points, int threads>
__device__ __forceinline__ void random_line(std::int64_t first, double (&re)[points], double (&im)[points]) {
  constexpr std::uint64_t jump = npb::random_jump(2 * (threads - 1));  // past the elements between
  std::uint64_t state = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * first));
#pragma unroll
  for (int e = 0; e < points; ++e) {
    state = npb::random_next(state);
    im[e] = npb::random_value(state);
    state = npb::random_next(state);
    re[e] = npb::random_value(state);
    state = npb::random_product(jump, state);
  }
}

// Where a pass along x finds or leaves the elements of a field that is cut into bricks of 2^log_width x
// 2^log_height x 2^log_depth. The natural order is that of bricks of one row.
struct Bricks {
  std::int64_t along_x, along_y, along_z;  // from a brick to the next
  int row, plane;                          // within a brick
  int log_width, log_height, log_depth;
};

struct XPass {
  const Pair* from;  // null: the field is not read but made: the random start, parts exchanged
  Pair* to;
  Bricks read, write;
  const Pair* factors;
  Pair* captured;  // where to put the checksum's points, j = 1 to 1024; or null
  int ny, nz;
  int log_lines, log_depth;  // lines of a block; planes that neighbouring blocks take turns in
};

// The elements of this thread that the checksum wants: j with 3j = y (mod ny) and 5j = z (mod nz). 3 and 5
// have inverses modulo 2^32, and so modulo any power of two. mine[e step] is element thread + e threads.
template <int n, int threads>
__device__ __forceinline__ void capture(const XPass& pass, unsigned y, unsigned z, int thread,
                                        const Pair* mine, std::int64_t step) {
  const unsigned ny = pass.ny, nz = pass.nz, shorter = min(ny, nz), longer = max(ny, nz);
  const unsigned by_y = y * 0xAAAAAAABu & (ny - 1), by_z = z * 0xCCCCCCCDu & (nz - 1);
  if ((by_y ^ by_z) & (shorter - 1)) return;
  unsigned j = ny > nz ? by_y : by_z;
  for (j = j == 0 ? longer : j; j <= checksum_points; j += longer)
    if (static_cast<int>(j % threads) == thread) pass.captured[j - 1] = mine[j % n / threads * step];
}

template <int points>
__device__ __forceinline__ void load_line(const Pair* from, std::int64_t step, double (&re)[points],
                                          double (&im)[points]) {
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const Pair value = from[e * step];
    re[e] = value.re;
    im[e] = value.im;
  }
}

template <int points>
__device__ __forceinline__ void store_line(Pair* to, std::int64_t step, const double (&re)[points],
                                           const double (&im)[points]) {
#pragma unroll
  for (int e = 0; e < points; ++e) to[e * step] = {re[e], im[e]};
}

// Shared memory of a line of transform_x: lines are set apart so that threads which hold 2^log_width
// neighbours of several lines meet in no bank.
constexpr int x_line_elements(int n, int points, int log_width) {
  return exchange_elements(n, points) + (1 << log_width);
}

// Lines along x, neighbours along y in a block; block: threads of a line times lines. Neighbouring threads
// hold elements as they lie in a brick: 2^log_width of a line, then those of the next line.
template <int n, int points, typename Element>
__global__ void __launch_bounds__(most_threads(points)) transform_x(XPass pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = n / points;
  const int flat = static_cast<int>(threadIdx.x), width = pass.write.log_width, lines = 1 << pass.log_lines;
  const int line = flat >> width & (lines - 1);
  const int thread = (flat & ((1 << width) - 1)) | flat >> (width + pass.log_lines) << width;
  const int block = static_cast<int>(blockIdx.x), blocks_y = pass.ny >> pass.log_lines;
  const int y = (block >> pass.log_depth & (blocks_y - 1)) * lines + line;
  const int z =
      ((block >> pass.log_depth) / blocks_y << pass.log_depth) + (block & ((1 << pass.log_depth) - 1));
  const Exchange<points, Element> exchange{
      reinterpret_cast<Element*>(shared) + line * x_line_elements(n, points, width), 1};
  const auto place = [=](const Bricks& order) {
    const auto within = [](int i, int log) { return i & ((1 << log) - 1); };
    return (thread >> width) * order.along_x + (y >> order.log_height) * order.along_y +
           (z >> order.log_depth) * order.along_z + within(thread, width) +
           within(y, order.log_height) * order.row + within(z, order.log_depth) * order.plane;
  };
  double re[points], im[points];
  if (pass.from) {
    load_line(pass.from + place(pass.read), (threads >> width) * pass.read.along_x, re, im);
  } else {
    random_line<points, threads>((static_cast<std::int64_t>(z) * pass.ny + y) * n + thread, re, im);
  }
  passes<n, points, 1>(thread, pass.factors, exchange, re, im);
  Pair* const to = pass.to + place(pass.write);
  const std::int64_t step = (threads >> width) * pass.write.along_x;
  store_line(to, step, re, im);
  if (pass.captured)
    capture<n, threads>(pass, static_cast<unsigned>(y), static_cast<unsigned>(z), thread, to, step);
}

// Where the elements of tiles of lines along y or z lie. Tiles have three numbers, of which the first one
// runs fastest: neighbouring blocks should have neighbouring memory.
struct Tiles {
  std::int64_t first, second, third;  // from a tile to the next by each number
  std::int64_t group;                 // from 2^log_group elements of a line to the next as many
  int inner;                          // from one of these to the next
  int row;                            // from 2^log_width columns, side by side, to the next as many
  int log_group;
};

// The x or y that a tile's numbers (third: none) and the row of its columns stand for.
struct TileStart {
  int first, second, row;
  __device__ int operator()(int first_, int second_, int row_) const {
    return first_ * first + second_ * second + row_ * row;
  }
};

// Lines along y or z. Block (columns, threads of a line).
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

// What a transform along y has left of its pass of radix 2, the first one of the inverse and the last one of
// the forward transform: of rows y and y + ny / 2, which lanes `distance` apart hold. Row 0 of a tile's two
// then leads to even y, row 1 to odd ones.
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

template <int n, int points, bool joined = false>
__global__ void __launch_bounds__(most_threads(points)) transform_yz(YzPass pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = n / points;
  const int thread = static_cast<int>(threadIdx.y), columns = static_cast<int>(blockDim.x);
  const int column = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
  const int x = column & ((1 << pass.log_width) - 1), row = column >> pass.log_width;
  const int first = tile & ((1 << pass.log_first) - 1),
            second = tile >> pass.log_first & ((1 << pass.log_second) - 1),
            third = tile >> (pass.log_first + pass.log_second);
  const auto place = [=](const Tiles& order) {
    return first * order.first + second * order.second + third * order.third + x + row * order.row +
           (thread >> order.log_group) * order.group + (thread & ((1 << order.log_group) - 1)) * order.inner;
  };
  const auto step = [](const Tiles& order) { return (threads >> order.log_group) * order.group; };
  const Exchange<points> exchange{reinterpret_cast<double*>(shared) + column, columns};
  double re[points], im[points];
  load_line(pass.from + place(pass.read), step(pass.read), re, im);
  if (pass.of_line) {
    const double common = pass.of_x[pass.x(first, second, row) + x] * pass.of_y[pass.y(first, second, row)];
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const double factor = common * pass.of_line[thread + e * threads], old = re[e];
      re[e] = im[e] * factor;
      im[e] = old * factor;
    }
  }
  passes<n, points, 1>(thread, pass.factors, exchange, re, im);
  if constexpr (joined)
    join_rows(pass.of_line != nullptr, pass.y(first, second, 0), pass.y.row * 2, row, columns / 2, re, im);
  store_line(pass.to + place(pass.write), step(pass.write), re, im);
}

// Calls function.operator()<n, points>() for the length and the wish for points a thread: 8, 16 or 32, or n.
template <int n = 2, typename Function>
void with_line(std::int64_t length, int points, Function&& function) {
  if (length == n) {
    if constexpr (n >= 32)
      if (points == 32) return function.template operator()<n, 32>();
    if constexpr (n >= 16)
      if (points >= 16) return function.template operator()<n, 16>();
    function.template operator()<n, std::min(n, 8)>();
  } else if constexpr (n < longest) {
    with_line<2 * n>(length, points, function);
  }
}

}  // namespace sextant::npb_ft
