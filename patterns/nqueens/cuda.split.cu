// Some lanes a board: each goes through the board's next rows, and on below every so many-th way to fill these.
#include "boards.cuh"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace nqueens;
using Lanes = Choices<2, 4, 8, 16, 32>;

struct Shape {
  int block_size = 128, lanes = 8, rows = 2;
};

// The queens of a board that are placed when its next `rows` rows have theirs.
__device__ __forceinline__ int queens_after(const Boards& boards, const Row& row, int rows) {
  return __popc(row.columns) + min(rows, boards.rows);
}

// The calling lane's ways: rows that are complete up to `queens` are dealt to the lanes in turn; where the search has ended before,
// its first lane counts.
__device__ __forceinline__ std::int32_t own_ways(const Boards& boards, Row row, int queens, int lane,
                                                 int lanes, Stack& stack) {
  std::int32_t ways = row.columns == boards.all && lane == 0;
  if (!row.free) return ways;
  int turn = 0;
  for (bool more = true; more;) {
    Row below = place(boards.all, row);
    if (__popc(below.columns) < queens) {  // one of the rows that every lane goes through
      if (below.free) {
        if (row.free) stack.push(row);
        row = below;
        continue;
      }
    } else if (turn++ % lanes == lane) {
      ways += below.columns == boards.all;
      const int bottom = stack.bottom;
      stack.bottom = stack.top;  // what lies below is not of this way
      if (below.free)
        while (step(boards.all, below, stack, ways)) {
        }
      stack.bottom = bottom;
    }
    if (!row.free) {
      more = !stack.empty();
      if (more) row = stack.pop();
    }
  }
  return ways;
}

template <int lanes>
__global__ void count_all(Boards boards, int rows) {
  extern __shared__ uint4 shared_rows[];
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto i = static_cast<int>(thread / lanes), lane = static_cast<int>(thread % lanes);
  std::int32_t ways = 0;
  if (i < boards.n) {
    Stack stack(shared_rows, static_cast<int>(blockDim.x));
    const Row row = boards.row(i);
    ways = own_ways(boards, row, queens_after(boards, row, rows), lane, lanes, stack);
  }
#pragma unroll
  for (int away = lanes / 2; away > 0; away /= 2) ways += __shfl_xor_sync(~0u, ways, away);
  if (i < boards.n && lane == 0) boards.count[i] = ways;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Boards boards = boards_of(call);
  Lanes::with(shape.lanes, [&]<int lanes>() {
    const unsigned blocks = blocks_for(std::int64_t{boards.n} * lanes, shape.block_size);
    count_all<lanes><<<blocks, shape.block_size, stack_bytes(boards, shape.block_size), stream_of(call)>>>(
        boards, shape.rows);
  });
}

}  // namespace

Variant nqueens_cuda_split() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "some lanes a board, which share the ways to fill its next rows";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, {32, 64, 128}},
                                      {"lanes", &Shape::lanes, Lanes::list()},
                                      {"rows", &Shape::rows, {1, 2, 3}}});
  variant.constraint = refuse_count;
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
