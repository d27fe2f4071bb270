// Transforms of lines with the values in registers: a line of n is shared by n / points threads, each of
// which holds `points` of its elements; between passes of radix `points` (the last may be smaller) the
// threads exchange them through shared memory (Stockham's order; Govindaraju et al., "High performance
// discrete Fourier transforms on graphics processors", SC 2008). The field is read and written once.
#pragma once

#include <cuda_runtime.h>

#include "butterfly.hpp"
#include "problem.hpp"

namespace sextant::npb_ft {

// Threads of a block at most: with 64 values in registers, or 32, that is what a multiprocessor has room for
// once (128 registers for each of 512 threads, 64 for each of 1024).
constexpr int most_threads(int points) { return points > 8 ? 512 : 1024; }

struct alignas(16) Pair {  // a complex number that moves in one access
  double re, im;
};

// Where element i of the line of this thread lies in shared memory: lines side by side in column-major order
// when `columns` > 1. One element in every `points` is left out, so that the stores of a pass with that radix
// spread over all banks.
template <int points>
struct Exchange {
  Pair* memory;
  int columns;
  __device__ Pair& operator[](int i) const { return memory[(i + i / points) * columns]; }
};

constexpr int exchange_elements(int n, int points) { return n + n / points; }

// One pass after `done` = the product of the radices before it, then the rest. v[e] is element thread + e * n
// / points. factors[done k + g - 1] is (cos, sin) of 2 pi k g / (done radix).
template <int n, int points, int done>
__device__ __forceinline__ void passes(int thread, const Pair* factors, const Exchange<points>& exchange,
                                       double (&re)[points], double (&im)[points]) {
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
    if (done > 1) __syncthreads();  // the last exchange has been read
#pragma unroll
    for (int b = 0; b < butterflies; ++b) {
      const int j = thread + b * threads, group = j % done;
#pragma unroll
      for (int k = 0; k < radix; ++k)
        exchange[(j - group) * radix + group + k * done] = {re[b + k * butterflies], im[b + k * butterflies]};
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const Pair value = exchange[thread + e * threads];
      re[e] = value.re;
      im[e] = value.im;
    }
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

struct XPass {
  Pair* data;  // transformed in place
  const Pair* factors;
  bool generate;   // the field is not read but made: the random start, parts exchanged
  Pair* captured;  // where to put the checksum's points, j = 1 to 1024; or null
  int ny, nz;
  std::int64_t first_row;  // the row of the first block's first line
};

// The elements of this thread's line that the checksum wants: j with 3j = y (mod ny) and 5j = z (mod nz). 3
// and 5 have inverses modulo 2^32, and so modulo any power of two.
template <int n, int threads>
__device__ __forceinline__ void capture(const XPass& pass, unsigned y, unsigned z, int thread,
                                        const Pair* line) {
  const unsigned ny = pass.ny, nz = pass.nz, shorter = min(ny, nz), longer = max(ny, nz);
  const unsigned by_y = y * 0xAAAAAAABu & (ny - 1), by_z = z * 0xCCCCCCCDu & (nz - 1);
  if ((by_y ^ by_z) & (shorter - 1)) return;
  unsigned j = ny > nz ? by_y : by_z;
  for (j = j == 0 ? longer : j; j <= checksum_points; j += longer)
    if (static_cast<int>(j % threads) == thread) pass.captured[j - 1] = line[j % n];
}

// Lines along x: block (threads of a line, lines).
template <int n, int points>
__global__ void __launch_bounds__(most_threads(points)) transform_x(XPass pass) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  constexpr int threads = n / points;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = pass.first_row + static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  Pair* const line = pass.data + row * n;
  const Exchange<points> exchange{
      reinterpret_cast<Pair*>(shared_bytes) + threadIdx.y * exchange_elements(n, points), 1};
  double re[points], im[points];
  if (pass.generate) {
    constexpr std::uint64_t jump = npb::random_jump(2 * (threads - 1));  // past the elements between
    std::uint64_t state =
        npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * (row * n + thread)));
#pragma unroll
    for (int e = 0; e < points; ++e) {
      state = npb::random_next(state);
      im[e] = npb::random_value(state);
      state = npb::random_next(state);
      re[e] = npb::random_value(state);
      state = npb::random_product(jump, state);
    }
  } else {
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const Pair value = line[thread + e * threads];
      re[e] = value.re;
      im[e] = value.im;
    }
  }
  passes<n, points, 1>(thread, pass.factors, exchange, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e) line[thread + e * threads] = {re[e], im[e]};
  if (pass.captured)
    capture<n, threads>(pass, static_cast<unsigned>(row) & (pass.ny - 1),
                        static_cast<unsigned>(row / pass.ny), thread, line);
}

// Lines along y or z. Block (columns, threads of a line); grid (nx / columns, lines of the other dimension).
struct YzPass {
  const Pair* from;
  Pair* to;  // may be `from`
  const Pair* factors;
  std::int64_t stride, other_stride;  // between a line's elements, and between blockIdx.y's lines
  // The decay by x, by the other dimension and along the line; null: none. With it parts are exchanged.
  const double *of_x, *of_other, *of_line;
};

template <int n, int points>
__global__ void __launch_bounds__(most_threads(points)) transform_yz(YzPass pass) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  constexpr int threads = n / points;
  const int thread = static_cast<int>(threadIdx.y), columns = static_cast<int>(blockDim.x);
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * columns + threadIdx.x;
  const std::int64_t first = blockIdx.y * pass.other_stride + x + thread * pass.stride;
  const std::int64_t step = threads * pass.stride;
  const Exchange<points> exchange{reinterpret_cast<Pair*>(shared_bytes) + threadIdx.x, columns};
  double re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const Pair value = pass.from[first + e * step];
    re[e] = value.re;
    im[e] = value.im;
  }
  if (pass.of_line) {
    const double common = pass.of_x[x] * pass.of_other[blockIdx.y];
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const double factor = common * pass.of_line[thread + e * threads], old = re[e];
      re[e] = im[e] * factor;
      im[e] = old * factor;
    }
  }
  passes<n, points, 1>(thread, pass.factors, exchange, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e) pass.to[first + e * step] = {re[e], im[e]};
}

// Calls function.operator()<n, points>() for the length and the wish for points a thread: 8 or 16, or n.
template <int n = 2, typename Function>
void with_line(std::int64_t length, int points, Function&& function) {
  if (length == n) {
    if constexpr (n <= 8)
      function.template operator()<n, n>();
    else if (points == 8)
      function.template operator()<n, 8>();
    else
      function.template operator()<n, 16>();
  } else if constexpr (n < longest) {
    with_line<2 * n>(length, points, function);
  }
}

}  // namespace sextant::npb_ft
