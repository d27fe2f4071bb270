// sizes: large
// As register_rows, but rows come into shared memory ahead of their use: a warp has 128 columns and a ring of rows of its own, so that no warp
// waits for another. Bulk copies bring rows that are whole vectors, copies of single elements (cp.async) others. Zeros outside of the grid
// lie in the ring.
#include "strips.cuh"
#include "toolbox/cuda/bulk_copy.cuh"

namespace sextant {
namespace {

using conv2d::columns;
constexpr int warp_columns = 32 * columns, slots = 4;

// A warp's rows on their way, with what is left and right of its columns, in whole vectors.
template <int R, typename T>
struct Ring {
  static constexpr int length = vector_length<T>, rim = (R + length - 1) / length * length,
                       width = warp_columns + 2 * rim, vectors = (columns + 2 * rim) / length;
  T rows[slots][width];
  std::uint64_t come[slots];
};

// The calling warp's supply of rows of x, from `next` up to `end`.
template <int R, typename T>
struct Supply {
  using Rows = Ring<R, T>;
  Rows& ring;
  const T* from;  // row 0, the first column that lies in the grid
  int n, next, end, at, count, lane;
  bool whole;  // rows begin at multiples of 16 bytes

  __device__ __forceinline__ Supply(Rows& rows, const T* x, int side, int first_column, int first_row,
                                    int last_row)
      : ring(rows),
        n(side),
        next(first_row),
        end(last_row),
        lane(static_cast<int>(threadIdx.x % 32)),
        whole(side % Rows::length == 0) {
    const int first = max(0, first_column - Rows::rim),
              last = min(n, first_column + warp_columns + Rows::rim);
    from = x + first, at = first - (first_column - Rows::rim);
    count = last - first;
    if (count < Rows::width)
      for (int k = lane; k < slots * Rows::width; k += 32) ring.rows[k / Rows::width][k % Rows::width] = 0;
    if (lane == 0) {
      for (auto& barrier : ring.come) bulk::start(&barrier, 32);
      bulk::barriers_started();
    }
    __syncwarp();
    for (int slot = 0; slot < slots; ++slot) bring(slot);
  }

  // Asks for the next row. What lies above or below the grid is not brought, and not looked at.
  __device__ __forceinline__ void bring(int slot) {
    if (next < end) {
      const int wanted = next >= 0 && next < n ? count : 0;
      const T* row = from + std::int64_t{next} * n;
      if (!whole) {
        for (int k = lane; k < wanted; k += 32) bulk::copy_element(&ring.rows[slot][at + k], row + k);
        bulk::arrive_with_elements(&ring.come[slot]);
      } else if (lane > 0) {
        bulk::arrive(&ring.come[slot]);
      } else {
        const int bytes = wanted * static_cast<int>(sizeof(T));
        bulk::expect(&ring.come[slot], bytes);
        if (bytes > 0) bulk::copy(&ring.rows[slot][at], row, bytes, &ring.come[slot]);
      }
    }
    ++next;
  }
};

template <int R, int block, typename T>
__global__ void __launch_bounds__(block)
    convolve(int n, int rows, const T* __restrict__ x, T* __restrict__ y) {
  if constexpr (bulk::available) {
    using Rows = Ring<R, T>;
    __shared__ __align__(128) Rows rings[block / 32];
    const T* const w = conv2d::weights<T>();
    const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
    const int first = (static_cast<int>(blockIdx.x) * (block / 32) + warp) * warp_columns,
              i = first + lane * columns;
    if (first >= n) return;
    const int top = static_cast<int>(blockIdx.y) * rows, bottom = min(n, top + rows);
    Rows& ring = rings[warp];
    Supply<R, T> supply(ring, x, n, first, top - R, bottom + R);
    conv2d::Sums<R, columns, T> sums;
    int slot = 0, parity = 0;
    for (int j = top - R; j < bottom + R; ++j) {
      T values[columns + 2 * Rows::rim];
      bulk::wait(&ring.come[slot], parity);
      const bool inside = j >= 0 && j < n;
#pragma unroll
      for (int v = 0; v < Rows::vectors; ++v) {
        const auto vector = load<Rows::length>(&ring.rows[slot][lane * columns + v * Rows::length]);
#pragma unroll
        for (int k = 0; k < Rows::length; ++k) values[v * Rows::length + k] = inside ? vector[k] : T(0);
      }
      __syncwarp();  // all lanes have theirs
      supply.bring(slot);
      if (++slot == slots) slot = 0, parity ^= 1;
      T done[columns];
      sums.add_row(values + Rows::rim - R, w, done);
      if (j - R < top || i >= n) continue;
      T* to = y + std::int64_t{j - R} * n + i;
      if (supply.whole) {
#pragma unroll
        for (int v = 0; v < columns / Rows::length; ++v) {
          Vector<T, Rows::length> vector;
#pragma unroll
          for (int k = 0; k < Rows::length; ++k) vector[k] = done[v * Rows::length + k];
          if (i + v * Rows::length < n) store_streaming(to + v * Rows::length, vector);
        }
      } else {
#pragma unroll
        for (int c = 0; c < columns; ++c)
          if (i + c < n) to[c] = done[c];
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  conv2d::launch_strips<T>(call, [&]<int R, int block>() { return convolve<R, block, T>; });
}

}  // namespace

Variant conv2d_cuda_bulk_rows() {
  Variant variant = conv2d::strip_variant();
  variant.description =
      "as register_rows, with rows that bulk copies bring ahead into a ring a warp (Hopper)";
  variant.unavailable = bulk::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
