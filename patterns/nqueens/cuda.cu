#include "boards.cuh"
#include "crew.cuh"
#include "packed.hpp"
#include "suite/choices.hpp"
#include "walk.cuh"

namespace sextant {
namespace {

using namespace nqueens;

namespace registers {

__global__ void count_all(Boards boards) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= boards.n) return;
  boards.count[i] = ways_packed(boards.all, boards.rows, static_cast<Set>(boards.columns[i]),
                                static_cast<Set>(boards.left[i]), static_cast<Set>(boards.right[i]));
}

const char* refuse(const Problem& problem, const int* tuning) {
  const char* reason = refuse_many_rows(problem, tuning);
  return reason ? reason : refuse_count(problem, tuning);
}

Variant form() {
  Variant variant = threads_variant("a board a thread, the columns of its queens in one word: no memory");
  variant.constraint = refuse;
  variant.launch.int32 = launch_threads<count_all>;
  return variant;
}

}  // namespace registers

namespace shared_stack {

template <int bytes>
__global__ void count_all(Boards boards) {
  extern __shared__ uint4 levels[];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Walk<bytes> walk(levels, static_cast<int>(blockDim.x));
  if (i >= boards.n) return;
  const Row row = boards.row(i);
  std::int32_t ways = row.columns == boards.all;
  if (row.free) {
    walk.begin(row);
    do {
#pragma unroll
      for (int s = 0; s < 4; ++s) walk.advance(boards.all);
    } while (!walk.ended());
    ways = walk.ways;
  }
  boards.count[i] = ways;
}

template <int bytes>
void launch_bytes(const Call& call) {
  const Boards boards = boards_of(call);
  const int block = call.tuned<Block>().block_size;
  count_all<bytes>
      <<<blocks_for(boards.n, block), block, levels_bytes<bytes>(boards, block), stream_of(call)>>>(boards);
}

void launch(const Call& call) {
  board_of(call.problem) <= 15 ? launch_bytes<8>(call) : launch_bytes<16>(call);
}

Variant form() {
  Variant variant = threads_variant("a board a thread, its stack in shared memory, no branch in a step");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace shared_stack

// Some lanes a board: each goes through the board's next rows, and on below every so many-th way to fill these.
namespace split {

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

}  // namespace split

namespace thread {

__global__ void count_all(Boards boards) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= boards.n) return;
  boards.count[i] = ways_by_stack(boards.all, static_cast<Set>(boards.columns[i]),
                                  static_cast<Set>(boards.left[i]), static_cast<Set>(boards.right[i]));
}

Variant form() {
  Variant variant = threads_variant("the form one writes first: a board a thread, with a stack of its own");
  variant.launch.int32 = launch_threads<count_all>;
  return variant;
}

}  // namespace thread

}  // namespace

std::vector<Variant> nqueens_cuda() {
  return {
      named("queue", nqueens::crew_variant<false>("lanes take the next board as they become free")),
      named("registers", registers::form()),
      named("shared_stack", shared_stack::form()),
      {.name = "split",
       .description = "some lanes a board, which share the ways to fill its next rows",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<split::Shape>({{"block_size", &split::Shape::block_size, {32, 64, 128}},
                                           {"lanes", &split::Shape::lanes, split::Lanes::list()},
                                           {"rows", &split::Shape::rows, {1, 2, 3}}}),
       .launch = {.int32 = split::launch},
       .constraint = refuse_count},
      named("steal", nqueens::crew_variant<true>(
                         "as queue; when no board is left, lanes take rows from others of their warp")),
      named("thread", thread::form()),
  };
}

}  // namespace sextant
