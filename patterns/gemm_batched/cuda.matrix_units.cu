// Doubles on the matrix units, without shared memory: a warp has 16 rows and some columns of C, and its lanes read what the units want from
// where it lies, in whole sectors. What neighbouring warps read again comes from the first-level cache.
#include "../../kernels/matmul/tensor_tile.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Widths = Choices<1, 2>;
constexpr int tile_rows = 16, tile_columns = 8, tile_depth = 8;

struct Shape {
  int block_size = 64, wide = 1;  // tiles of C side by side that a warp has

  int tiles(std::int64_t m) const {
    const auto side = static_cast<int>(m);
    return (side + tile_rows - 1) / tile_rows * ((side + wide * tile_columns - 1) / (wide * tile_columns));
  }
};

// Two steps of the units' depth: all that they want is under way before the first is used.
template <int wide>
struct Operands {
  double a[2][4], b[2][wide][2];
};

// Tile `tile` of a matrix whose rows are `m` elements, by a warp; rows and columns that are not there are read from within, and not stored.
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
  Widths::with(shape.wide, [&]<int wide>() {
    multiply<wide>
        <<<blocks_for(batches * tiles * 32, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
            batches, static_cast<int>(m), tiles, call.array<const double>(0), call.array<const double>(1),
            call.array<double>(2));
  });
}

// Two where the second-level cache holds all arrays and there are warps enough without, or where a row has many tiles: A is read half as often.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = 3 * problem.extents.x * static_cast<std::int64_t>(sizeof(double));
  const bool in_cache = bytes > std::int64_t{4} << 20 && bytes < std::int64_t{32} << 20;
  shape.wide = in_cache || gemm_batched::size_of(problem) > 32 ? 2 : 1;
}

const char* refuse(const Problem& problem, const Shape&) {
  return gemm_batched::size_of(problem) % tile_depth != 0 ? "rows that are no multiple of 8" : nullptr;
}

}  // namespace

Variant gemm_batched_cuda_matrix_units() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "doubles on the matrix units, whose operands lanes read from where they lie";
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, {32, 64, 128, 256}}, {"wide", &Shape::wide, Widths::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.unavailable = []() -> const char* {
    return compute_capability() < 8 ? "matrix units for doubles need compute capability 8.0 or later"
                                    : nullptr;
  };
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace sextant
