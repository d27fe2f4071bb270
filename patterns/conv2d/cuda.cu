#include "loop.hpp"
#include "slide.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/vector.cuh"

// Shared by the variants whose threads move down a strip (a range of rows), four columns per thread
// (slide.hpp). Contains the strip's shape, the weights in constant memory, and the launch.
namespace sextant::conv2d {

using Blocks = Choices<64, 128>;
constexpr int columns = 4;  // columns per thread

struct Strip {
  int block_size = 128, rows = 64;
};

// The weights as float or double, with space for the largest radius, 7.
static __constant__ double constant_weights[15 * 15];

template <typename T>
__device__ __forceinline__ const T* weights() {
  return reinterpret_cast<const T*>(constant_weights);
}

// Launches the kernel that kernel_of.operator()<R, block>() returns for radius R and `block` threads per
// block. The kernel's arguments are n, the number of rows per strip, x and y.
template <typename T, typename KernelOf>
void launch_strips(const Call& call, const KernelOf& kernel_of) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto strip = call.tuned<Strip>();
  const auto taps = static_cast<std::size_t>(width_of(call.problem) * width_of(call.problem));
  cudaMemcpyToSymbolAsync(constant_weights, call.address(1), taps * sizeof(T), 0, cudaMemcpyDeviceToDevice,
                          stream_of(call));
  Radii::with(static_cast<int>(radius_of(call.problem)), [&]<int R>() {
    Blocks::with(strip.block_size, [&]<int block>() {
      const auto kernel = kernel_of.template operator()<R, block>();
      kernel<<<dim3(blocks_for(n, block * columns), blocks_for(n, strip.rows)), block, 0, stream_of(call)>>>(
          n, strip.rows, call.array<const T>(0), call.array<T>(2));
    });
  });
}

inline const char* refuse(const Problem& problem, const Strip& strip) {
  return problem.extents.x > std::int64_t{65535} * strip.rows
             ? "more than 65535 blocks along y: choose a larger value of rows"
             : nullptr;
}

// Makes strips as tall as possible while each of an H200's 132 multiprocessors gets about four blocks. Taller
// strips read less, because each strip also reads 2R rows of its neighbours.
inline void adapt(const Problem& problem, Strip& strip) {
  const std::int64_t n = problem.extents.x;
  strip.block_size = n < 1024 ? 64 : 128;
  const std::int64_t across = (n + strip.block_size * columns - 1) / (strip.block_size * columns);
  strip.rows = 8;
  while (strip.rows < 128 && across * (n / (2 * strip.rows)) >= 528) strip.rows *= 2;
}

// A variant that works in strips. The caller adds the description and the launch function.
inline Variant strip_variant() {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.tunables = tunables<Strip>(
      {{"block_size", &Strip::block_size, Blocks::list()}, {"rows", &Strip::rows, {8, 16, 32, 64, 128}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  return variant;
}

}  // namespace sextant::conv2d

namespace sextant {
namespace {

// Like register_rows, but rows are prefetched to shared memory. Each warp has 128 columns and its own ring
// buffer of rows, so that no warp waits for another. Rows are copied by bulk copies if they are multiples of
// 16 bytes, otherwise element by element (cp.async). Outside the grid the ring buffer holds zeros.
namespace bulk_rows {

using conv2d::columns;
constexpr int warp_columns = 32 * columns, slots = 4;

// One warp's ring buffer of rows. A row includes the halo left and right of the warp's columns, rounded up to
// whole 16-byte vectors.
template <int R, typename T>
struct Ring {
  static constexpr int length = vector_length<T>, rim = (R + length - 1) / length * length,
                       width = warp_columns + 2 * rim, vectors = (columns + 2 * rim) / length;
  T rows[slots][width];
  std::uint64_t come[slots];
};

// Loads rows `next` to `end` - 1 of x into the calling warp's ring buffer.
template <int R, typename T>
struct Supply {
  using Rows = Ring<R, T>;
  Rows& ring;
  const T* from;  // start of row 0 of x, at the first column that this warp loads
  int n, next, end, at, count, lane;
  bool whole;  // rows of x start at multiples of 16 bytes

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

  // Starts the copy of row `next` if there is one. Rows above or below the grid are not copied; their values
  // count as zeros.
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
      __syncwarp();  // All lanes have read their values, so this slot may be overwritten.
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

Variant form() {
  Variant variant = conv2d::strip_variant();
  variant.description =
      "as register_rows, but bulk copies load rows ahead into a ring buffer per warp (Hopper)";
  variant.unavailable = bulk::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.for_large_arrays = true;
  return variant;
}

}  // namespace bulk_rows

namespace direct {

struct Block {
  int block_x = 32, block_y = 8;
};

template <typename T>
__global__ void convolve(int n, int R, const T* __restrict__ x, const T* __restrict__ w, T* __restrict__ y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y), width = 2 * R + 1;
  if (i >= n || j >= n) return;
  T sum = 0;
  for (int b = max(0, R - j); b < min(width, n + R - j); ++b)
    for (int a = max(0, R - i); a < min(width, n + R - i); ++a)
      sum += w[b * width + a] * x[std::int64_t{j + b - R} * n + i + a - R];
  y[std::int64_t{j} * n + i] = sum;
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto tuned = call.tuned<Block>();
  const dim3 block(static_cast<unsigned>(tuned.block_x), static_cast<unsigned>(tuned.block_y));
  convolve<<<dim3(blocks_for(n, tuned.block_x), blocks_for(n, tuned.block_y)), block, 0, stream_of(call)>>>(
      n, static_cast<int>(conv2d::radius_of(call.problem)), call.array<const T>(0), call.array<const T>(1),
      call.array<T>(2));
}

}  // namespace direct

// A thread moves down four columns of a strip and keeps partial sums in registers (slide.hpp). Each row of x
// is read once for all rows of y that need it. Each launch first copies the weights to constant memory, which
// the multiplications read directly. Rows are read in 16-byte vectors, but element by element near the
// boundary or if n is not a multiple of the vector length.
namespace register_rows {

using conv2d::columns;

// The values of one row that the calling thread needs: its columns and R more on each side. Values outside
// the grid are 0.
template <int R, typename T>
struct Window {
  static constexpr int length = vector_length<T>, rim = (R + length - 1) / length * length,
                       vectors = (columns + 2 * rim) / length;
  T values[columns + 2 * rim];

  // Loads values of row j; i, a multiple of the vector length, is the thread's first column. `whole`: all
  // values are inside the grid, and rows are multiples of 16 bytes.
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

Variant form() {
  Variant variant = conv2d::strip_variant();
  variant.description =
      "each thread moves down four columns with partial sums in registers; weights in constant memory";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace register_rows

// The textbook version: a block loads its tile of x with a halo of R points into shared memory. A thread
// computes several points of a column and reads each weight once for all of them.
namespace shared_tile {

using Rows = Choices<1, 2, 4>;  // rows that one thread computes
using Heights = Choices<4, 8, 16>;
constexpr int across = 32;  // columns per tile, one thread each

struct Tile {
  int rows = 4, block_y = 8;
};

template <int R, int rows, int block_y, typename T>
__global__ void __launch_bounds__(across* block_y)
    convolve(int n, const T* __restrict__ x, const T* __restrict__ w, T* __restrict__ y) {
  constexpr int width = 2 * R + 1, height = rows * block_y, tile_x = across + 2 * R, tile_y = height + 2 * R;
  __shared__ T tile[tile_y][tile_x], weights[width * width];
  const int thread_x = static_cast<int>(threadIdx.x), thread_y = static_cast<int>(threadIdx.y),
            thread = thread_y * across + thread_x;
  const int left = static_cast<int>(blockIdx.x) * across, top = static_cast<int>(blockIdx.y) * height;
  for (int t = thread; t < width * width; t += across * block_y) weights[t] = w[t];
  for (int ty = thread_y; ty < tile_y; ty += block_y)
    for (int tx = thread_x; tx < tile_x; tx += across) {
      const int i = left + tx - R, j = top + ty - R;
      tile[ty][tx] = i >= 0 && i < n && j >= 0 && j < n ? x[std::int64_t{j} * n + i] : T(0);
    }
  __syncthreads();
  T sums[rows] = {};
#pragma unroll 1
  for (int b = 0; b < width; ++b)
#pragma unroll
    for (int a = 0; a < width; ++a) {
      const T weight = weights[b * width + a];
#pragma unroll
      for (int r = 0; r < rows; ++r) sums[r] += weight * tile[thread_y + r * block_y + b][thread_x + a];
    }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int i = left + thread_x, j = top + thread_y + r * block_y;
    if (i < n && j < n) y[std::int64_t{j} * n + i] = sums[r];
  }
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto shape = call.tuned<Tile>();
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    Rows::with(shape.rows, [&]<int rows>() {
      Heights::with(shape.block_y, [&]<int block_y>() {
        convolve<R, rows, block_y>
            <<<dim3(blocks_for(n, across), blocks_for(n, rows * block_y)), dim3(across, block_y), 0,
               stream_of(call)>>>(n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
      });
    });
  });
}

}  // namespace shared_tile

}  // namespace

std::vector<Variant> conv2d_cuda() {
  return {
      named("bulk_rows", bulk_rows::form()),
      {.name = "direct",
       .description = "the plain form: one thread per point, all operands through the caches",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<direct::Block>({{"block_x", &direct::Block::block_x, {16, 32, 64, 128}},
                                            {"block_y", &direct::Block::block_y, {1, 2, 4, 8}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(direct::launch),
       .constraint =
           [](const Problem& problem, const int* tuning) {
             const auto block = values_of<direct::Block>(tuning);
             return refuse_block(problem.extents, block.block_x, block.block_y, 1);
           }},
      named("register_rows", register_rows::form()),
      {.name = "shared_tile",
       .description =
           "each block's tile and halo in shared memory; each thread computes some points of a column",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared_tile::Tile>(
           {{"rows", &shared_tile::Tile::rows, shared_tile::Rows::list()},
            {"block_y", &shared_tile::Tile::block_y, shared_tile::Heights::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared_tile::launch),
       .constraint =
           [](const Problem& problem, const int* tuning) {
             const auto tile = values_of<shared_tile::Tile>(tuning);
             return refuse_block(problem.extents, shared_tile::across, tile.block_y, 1);
           }},
  };
}

}  // namespace sextant
