// A system for a block, with 4 to 16 rows in a thread's registers: one reading, one writing. The ends of the threads' rows are
// reduced through shared memory.
#include "rows.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using tridiagonal::Blocks, tridiagonal::RowCounts;

struct Shape {
  int block_size = 128, rows = 8;
};

template <int block, int K, int width, typename T>
__global__ void __launch_bounds__(block) solve(int length, tridiagonal::Arrays<T> arrays) {
  __shared__ tridiagonal::Board<block, T> board;
  const int row = static_cast<int>(threadIdx.x) * K;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * length + row;
  const tridiagonal::Coefficients<K, width, T> given(arrays, first, length - row);
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(given.a, given.b, given.c, given.d);
  T x[K];
  tridiagonal::solve_block(rows, board, x);
  tridiagonal::store_rows<K, width>(x, arrays.x + first, length - row);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  tridiagonal::with_width<T>(call.problem, [&]<int width>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      RowCounts::with(shape.rows, [&]<int K>() {
        solve<block, K, width, T>
            <<<static_cast<unsigned>(tridiagonal::systems_of(call.problem)), block, 0, stream_of(call)>>>(
                static_cast<int>(tridiagonal::length_of(call.problem)), tridiagonal::Arrays<T>(call));
      });
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return tridiagonal::length_of(problem) > shape.rows * shape.block_size ? "more unknowns than a block keeps"
                                                                         : nullptr;
}

}  // namespace

Variant tridiagonal_cuda_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "at most 8192 unknowns in the registers of a block, whose ends it reduces in shared memory";
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, Blocks::list()}, {"rows", &Shape::rows, RowCounts::list()}});
  variant.adapt = by_name<tridiagonal::shape_block<Shape>>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
