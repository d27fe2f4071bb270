// A thread goes down four columns of a part of the grid, with the sums of the
// rows around it in registers (slide.hpp): each row of x is read once for all
// rows of y that it belongs to. Weights are operands from constant memory, to
// where each launch copies them first. Rows are read by 16-byte accesses that
// overlap those of neighbours, in the first-level cache; near the rims, and
// where rows are no whole vectors, by single elements.
#include "strips.cuh"

namespace sextant {
namespace {

using conv2d::columns;

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
  const T* const w = conv2d::weights<T>();
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
  conv2d::launch_strips<T>(call, [&]<int R, int block>() { return convolve<R, block, T>; });
}

}  // namespace

Variant conv2d_cuda_register_rows() {
  Variant variant = conv2d::strip_variant();
  variant.description =
      "a thread goes down four columns, sums of the rows "
      "around it in registers, weights in constant memory";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
