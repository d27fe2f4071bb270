#include "../../kernels/matmul/tensor_tile.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

namespace elementwise {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void multiply(std::int64_t elements, int m, const T* __restrict__ a, const T* __restrict__ b,
                         T* __restrict__ c) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= elements) return;
  const std::int64_t row = at / m, batch = row / m;
  const T* from_a = a + row * m;
  const T* from_b = b + batch * m * m + (at - row * m);
  T sum = 0;
  for (int k = 0; k < m; ++k) sum += from_a[k] * from_b[k * m];
  c[at] = sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem),
                     elements = gemm_batched::batches_of(call.problem) * m * m;
  const int block = call.tuned<Block>().block_size;
  multiply<<<blocks_for(elements, block), block, 0, stream_of(call)>>>(
      elements, static_cast<int>(m), call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace elementwise

// Double precision on tensor cores, without shared memory. A warp computes a tile of 16 rows and 8 or 16
// columns of C. Its lanes load the operands directly from global memory in whole 32-byte sectors;
// neighbouring warps load the same data from the L1 cache.
namespace matrix_units {

using Widths = Choices<1, 2>;
constexpr int tile_rows = 16, tile_columns = 8, tile_depth = 8;

struct Shape {
  int block_size = 64, tiles_per_warp = 1;  // tiles_per_warp: adjacent tiles of C that a warp computes

  int tiles(std::int64_t m) const {
    const auto side = static_cast<int>(m);
    return (side + tile_rows - 1) / tile_rows *
           ((side + tiles_per_warp * tile_columns - 1) / (tiles_per_warp * tile_columns));
  }
};

// Operands of two tensor-core steps. All of them are loaded before the first is used.
template <int wide>
struct Operands {
  double a[2][4], b[2][wide][2];
};

// Each warp computes `wide` adjacent tiles of C; `tiles` is the number of such groups per matrix. Rows and
// columns outside the matrix are read from valid addresses but not stored.
template <int wide>
__global__ void multiply(std::int64_t batches, int m, int tiles, const double* __restrict__ a,
                         const double* __restrict__ b, double* __restrict__ c) {
  const std::int64_t warp = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32,
                     batch = warp / tiles;
  if (batch >= batches) return;
  const int lane = static_cast<int>(threadIdx.x % 32), g = lane / 4, t = lane % 4;
  const int tile = static_cast<int>(warp - batch * tiles), down = (m + tile_rows - 1) / tile_rows;
  const int row = tile % down * tile_rows + g, column = tile / down * (wide * tile_columns);
  const std::int64_t first = batch * m * m;
  const double* const upper = a + first + row * m + t;
  const double* const lower = a + first + min(row + 8, m - 1) * m + t;
  const double* from_b[wide];
#pragma unroll
  for (int w = 0; w < wide; ++w) from_b[w] = b + first + t * m + min(column + w * tile_columns + g, m - 1);
  double sums[wide][4] = {};
  for (int k = 0; k < m; k += 2 * tile_depth) {
    Operands<wide> of;
#pragma unroll
    for (int step = 0; step < 2; ++step) {
      const bool there = step == 0 || k + tile_depth < m;
      const int at = k + step * tile_depth;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        of.a[step][2 * half] = there ? upper[at + 4 * half] : 0;
        of.a[step][2 * half + 1] = there ? lower[at + 4 * half] : 0;
#pragma unroll
        for (int w = 0; w < wide; ++w) of.b[step][w][half] = there ? from_b[w][(at + 4 * half) * m] : 0;
      }
    }
#pragma unroll
    for (int step = 0; step < 2; ++step)
#pragma unroll
      for (int w = 0; w < wide; ++w) matmul::multiply_16x8x8(sums[w], of.a[step], of.b[step][w]);
  }
#pragma unroll
  for (int w = 0; w < wide; ++w)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = row + 8 * half, j = column + w * tile_columns + 2 * t;
      if (i < m && j < m)
        store_streaming(c + first + i * m + j, Vector<double, 2>{{sums[w][2 * half], sums[w][2 * half + 1]}});
    }
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t batches = gemm_batched::batches_of(call.problem),
                     m = gemm_batched::size_of(call.problem);
  const int tiles = shape.tiles(m);
  Widths::with(shape.tiles_per_warp, [&]<int wide>() {
    multiply<wide>
        <<<blocks_for(batches * tiles * 32, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
            batches, static_cast<int>(m), tiles, call.array<const double>(0), call.array<const double>(1),
            call.array<double>(2));
  });
}

// Uses two tiles per warp, which halves the reads of A, for matrices of more than 32 rows. Smaller matrices
// use it only if all arrays fit in the L2 cache and there are enough warps.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = 3 * problem.extents.x * static_cast<std::int64_t>(sizeof(double));
  const bool in_cache = bytes > std::int64_t{4} << 20 && bytes < std::int64_t{32} << 20;
  shape.tiles_per_warp = in_cache || gemm_batched::size_of(problem) > 32 ? 2 : 1;
}

const char* refuse(const Problem& problem, const Shape&) {
  return gemm_batched::size_of(problem) % tile_depth != 0 ? "only for matrices whose size is a multiple of 8"
                                                          : nullptr;
}

}  // namespace matrix_units

// Matrices of up to 16 rows. Each of m lanes holds one row of A, B and C in registers. The lanes exchange the
// rows of B by shuffles. Every element is loaded or stored once, without shared memory.
namespace rows {

using Sizes = Choices<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>;

struct Shape {
  int block_size = 256;
};

// Elements per memory access: the largest vector length that divides m.
template <typename T, int m>
inline constexpr int row_width = m % vector_length<T> == 0 ? vector_length<T>
                                 : m % 2 == 0              ? 2
                                                           : 1;

template <int m, typename T>
struct Row {
  static constexpr int width = row_width<T, m>;
  Vector<T, width> at[m / width];
  __device__ __forceinline__ T& operator[](int i) { return at[i / width][i % width]; }
};

// Lanes per matrix: m rounded up to a power of two. Only the first m of them hold a row.
template <int m>
inline constexpr int group = m <= 1   ? 1
                             : m <= 2 ? 2
                             : m <= 4 ? 4
                             : m <= 8 ? 8
                                      : 16;

template <int m, typename T>
__global__ void multiply(std::int64_t batches, const T* __restrict__ a, const T* __restrict__ b,
                         T* __restrict__ c) {
  constexpr int lanes = group<m>;
  using Mine = Row<m, T>;
  const std::int64_t batch = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const int i = static_cast<int>(threadIdx.x) % lanes;
  const bool there = batch < batches && i < m;
  const std::int64_t first = (batch * m + i) * m;
  Mine of_a, of_b, of_c;
#pragma unroll
  for (int v = 0; v < m / Mine::width; ++v)
    if (there) {
      of_a.at[v] = load<Mine::width>(a + first + v * Mine::width);
      of_b.at[v] = load<Mine::width>(b + first + v * Mine::width);
    }
#pragma unroll
  for (int j = 0; j < m; ++j) of_c[j] = 0;
#pragma unroll
  for (int k = 0; k < m; ++k)
#pragma unroll
    for (int j = 0; j < m; ++j) of_c[j] += of_a[k] * __shfl_sync(~0u, of_b[j], k, lanes);
#pragma unroll
  for (int v = 0; v < m / Mine::width; ++v)
    if (there) store_streaming(c + first + v * Mine::width, of_c.at[v]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t batches = gemm_batched::batches_of(call.problem);
  const int block = call.tuned<Shape>().block_size;
  Sizes::with(static_cast<int>(gemm_batched::size_of(call.problem)), [&]<int m>() {
    multiply<m><<<blocks_for(batches * group<m>, block), block, 0, stream_of(call)>>>(
        batches, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

const char* refuse(const Problem& problem, const int*) {
  return gemm_batched::size_of(problem) > 16 ? "only for matrices of at most 16 rows" : nullptr;
}

}  // namespace rows

}  // namespace

std::vector<Variant> gemm_batched_cuda() {
  return {
      {.name = "elementwise",
       .description = "the plain loop, one element of C per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<elementwise::Block>(
           {{"block_size", &elementwise::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(elementwise::launch)},
      {.name = "matrix_units",
       .description = "double-precision tensor cores; lanes load operands directly from global memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<matrix_units::Shape>(
           {{"block_size", &matrix_units::Shape::block_size, {32, 64, 128, 256}},
            {"tiles_per_warp", &matrix_units::Shape::tiles_per_warp, matrix_units::Widths::list()}}),
       .launch = {.float64 = matrix_units::launch},
       .constraint = by_name<matrix_units::refuse>,
       .adapt = by_name<matrix_units::adapt>,
       .unavailable = []() -> const char* {
         return compute_capability() < 8 ? "tensor cores for double need compute capability 8.0 or later"
                                         : nullptr;
       }},
      {.name = "rows",
       .description = "up to 16 rows: one row per lane in registers, rows of B exchanged by shuffles",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<rows::Shape>({{"block_size", &rows::Shape::block_size, {64, 128, 256, 512}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(rows::launch),
       .constraint = rows::refuse},
  };
}

}  // namespace sextant
