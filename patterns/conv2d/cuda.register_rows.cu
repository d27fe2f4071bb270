// A thread goes down four columns of a part of the grid, with the sums of the
// rows around it in registers (slide.hpp): each row of x is read once for all
// rows of y that it belongs to. Weights are operands from constant memory, to
// where each launch copies them first. Rows are read by 16-byte accesses that
// overlap those of neighbours, in the first-level cache; near the rims, and
// where rows are no whole vectors, by single elements.
#include "loop.hpp"
#include "slide.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Blocks = Choices<64, 128, 256>;
constexpr int columns = 4;
constexpr int most_taps = 15 * 15;

struct Strip {
  int block_size = 128, rows = 64;
};

__constant__ double constant_weights[most_taps];

// The calling thread's part of a row: from R before its first column to R
// behind its last, 0 outside of the grid.
template <int R, typename T>
struct Window {
  static constexpr int length = vector_length<T>, rim = (R + length - 1) / length * length,
                       vectors = (columns + 2 * rim) / length;
  T values[columns + 2 * rim];

  // Row j from column i on, a multiple of the vectors' length; whole: all of
  // the window is inside, and rows are whole vectors.
  __device__ __forceinline__ void load(const T* __restrict__ x, int n, int i, int j, bool whole) {
    const T* row = x + std::int64_t{j} * n + i - rim;
    if (j < 0 || j >= n) {
#pragma unroll
      for (int k = 0; k < columns + 2 * rim; ++k) values[k] = 0;
    } else if (whole) {
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        const auto vector = sextant::load<length>(row + v * length);
#pragma unroll
        for (int k = 0; k < length; ++k) values[v * length + k] = vector[k];
      }
    } else {
#pragma unroll
      for (int k = rim - R; k < columns + rim + R; ++k) {
        const int at = i + k - rim;
        values[k] = at >= 0 && at < n ? row[k] : T(0);
      }
    }
  }
};

template <int R, int block, typename T>
__global__ void __launch_bounds__(block)
    convolve(int n, int rows, const T* __restrict__ x, T* __restrict__ y) {
  using Part = Window<R, T>;
  const T* const w = reinterpret_cast<const T*>(constant_weights);
  const int i = (static_cast<int>(blockIdx.x) * block + static_cast<int>(threadIdx.x)) * columns;
  if (i >= n) return;
  const int top = static_cast<int>(blockIdx.y) * rows, bottom = min(n, top + rows);
  const bool whole = n % Part::length == 0 && i >= Part::rim && i + columns + Part::rim <= n,
             whole_result = n % Part::length == 0 && i + columns <= n;
  conv2d::Sums<R, columns, T> sums;
  for (int j = top - R; j < bottom + R; ++j) {
    Part part;
    part.load(x, n, i, j, whole);
    T done[columns];
    sums.add_row(part.values + Part::rim - R, w, done);
    if (j - R < top) continue;
    T* to = y + std::int64_t{j - R} * n + i;
    if (whole_result) {
#pragma unroll
      for (int v = 0; v < columns / Part::length; ++v) {
        Vector<T, Part::length> vector;
#pragma unroll
        for (int k = 0; k < Part::length; ++k) vector[k] = done[v * Part::length + k];
        store_streaming(to + v * Part::length, vector);
      }
    } else {
#pragma unroll
      for (int c = 0; c < columns; ++c)
        if (i + c < n) to[c] = done[c];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto strip = call.tuned<Strip>();
  const auto taps = static_cast<std::size_t>(conv2d::width_of(call.problem) * conv2d::width_of(call.problem));
  cudaMemcpyToSymbolAsync(constant_weights, call.arrays[1], taps * sizeof(T), 0, cudaMemcpyDeviceToDevice,
                          stream_of(call));
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    Blocks::with(strip.block_size, [&]<int block>() {
      convolve<R, block>
          <<<dim3(blocks_for(n, block * columns), blocks_for(n, strip.rows)), block, 0, stream_of(call)>>>(
              n, strip.rows, call.array<const T>(0), call.array<T>(2));
    });
  });
}

const char* refuse(const Problem& problem, const Strip& strip) {
  return problem.extents.x > std::int64_t{65535} * strip.rows ? "more than 65535 blocks along y" : nullptr;
}

// As many rows as leave some four blocks for each of an H200's 132
// multiprocessors: 2R of them are read twice.
void adapt(const Problem& problem, Strip& strip) {
  const std::int64_t n = problem.extents.x;
  strip.block_size = n < 1024 ? 64 : 128;
  const std::int64_t across = (n + strip.block_size * columns - 1) / (strip.block_size * columns);
  strip.rows = 8;
  while (strip.rows < 128 && across * (n / (2 * strip.rows)) >= 528) strip.rows *= 2;
}

}  // namespace

Variant conv2d_cuda_register_rows() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "a thread goes down four columns, sums of the rows "
      "around it in registers, weights in constant memory";
  variant.tunables = tunables<Strip>(
      {{"block_size", &Strip::block_size, Blocks::list()}, {"rows", &Strip::rows, {8, 16, 32, 64, 128}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
