#include "boards.cuh"
#include "packed.hpp"
#include "suite/choices.hpp"
#include "toolbox/cuda/attributes.cuh"

// Branch-free depth-first search, one board per lane, so that the lanes of a warp never diverge. Each step
// places a queen and selects the next row by predicates. A stack in shared memory holds rows with untried
// columns. Its lowest entry is a sentinel, an impossible set of queens without free columns. A lane that pops
// it has ended its search, and popping it again changes nothing.
namespace sextant::nqueens {

// Push and pop of rows on the stack. A row takes 16 bytes, or 8 on boards of at most 15 columns.
template <int bytes>
struct Waiting;

template <>
struct Waiting<16> {
  static constexpr Set mark = ~Set{0};

  static __device__ __forceinline__ void push_if(bool wanted, int at, const Row& row) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p st.shared.v4.u32 [%0], {%1, %2, %3, %4}; }" ::"r"(at),
        "r"(row.columns), "r"(row.left), "r"(row.right), "r"(row.free), "r"(static_cast<unsigned>(wanted))
        : "memory");
  }
  static __device__ __forceinline__ void pop_if(bool wanted, int at, Row& row) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(row.columns), "+r"(row.left), "+r"(row.right), "+r"(row.free)
                 : "r"(at), "r"(static_cast<unsigned>(wanted))
                 : "memory");
  }
};

template <>
struct Waiting<8> {
  static constexpr Set mark = 0xFFFF;

  static __device__ __forceinline__ void push_if(bool wanted, int at, const Row& row) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.shared.v2.u32 [%0], {%1, %2}; }" ::"r"(at),
                 "r"(__byte_perm(row.columns, row.free, 0x5410)),
                 "r"(__byte_perm(row.left, row.right, 0x5410)), "r"(static_cast<unsigned>(wanted))
                 : "memory");
  }
  static __device__ __forceinline__ void pop_if(bool wanted, int at, Row& row) {
    unsigned low = 0, high = 0;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.shared.v2.u32 {%0, %1}, [%2]; }"
                 : "+r"(low), "+r"(high)
                 : "r"(at), "r"(static_cast<unsigned>(wanted))
                 : "memory");
    if (wanted) row = {low & 0xFFFF, high & 0xFFFF, high >> 16, low >> 16};
  }
};

template <int bytes>
struct Walk {
  using Rows = Waiting<bytes>;
  Row row = {Rows::mark, 0, 0, 0};
  std::int32_t ways = 0;
  // Shared-memory addresses of the first level, the sentinel (`bottom`) and the highest row (`top`), and the
  // distance between levels (`step`), in bytes. They are signed, because top - step may be below 0.
  int first, step, bottom, top;

  // `levels` points to the block's stacks. Each level has one entry per lane.
  __device__ __forceinline__ Walk(const uint4* levels, int block)
      : first(static_cast<int>(__cvta_generic_to_shared(levels)) + static_cast<int>(threadIdx.x) * bytes),
        step(block * bytes),
        bottom(first),
        top(first) {
    Rows::push_if(true, first, row);
  }

  __device__ __forceinline__ bool ended() const { return row.columns == Rows::mark; }
  __device__ __forceinline__ bool has_waiting() const { return top != bottom; }

  __device__ __forceinline__ void begin(const Row& with) {
    row = with, ways = 0;
    bottom = top = first;
  }

  // Places one queen if possible, then moves to the next row to try.
  __device__ __forceinline__ void advance(Set all) {
    const Row below = place(all, row);
    ways += below.columns == all;
    const bool down = below.free != 0, waits = row.free != 0, back = !down && !waits;
    Rows::push_if(down && waits, top + step, row);
    row = {down ? below.columns : row.columns, down ? below.left : row.left, down ? below.right : row.right,
           down ? below.free : row.free};
    Rows::pop_if(back, top, row);
    top = down && waits ? top + step : back ? max(top - step, bottom) : top;
  }
};

// Size in bytes of a block's stacks in shared memory: one level per row left to fill, plus one for the
// sentinel.
template <int bytes>
std::size_t levels_bytes(const Boards& boards, int block) {
  return std::size_t{bytes} * static_cast<std::size_t>((boards.rows + 1) * block);
}

}  // namespace sextant::nqueens

// Work queue: lanes that have finished a board take the next one from a global counter, every few steps. If
// `steals` and no boards are left, an idle lane takes a row from the stack of another lane of its warp.
namespace sextant::nqueens {

struct Crew {
  int block_size = 128, warps = 32, chunk = 8, steps = 16, row_bytes = 16;
};

using RowBytes = Choices<8, 16>;
using Counter = unsigned long long;

// The boards that a warp has taken from the global counter but not yet given to its lanes: next … end - 1.
struct Share {
  int next = 0, end = 0;  // both have the same value in all lanes

  // Gives one board to each lane in the mask `wanting`, in lane order. Returns the calling lane's board, or
  // -1 if it gets none. All lanes of the warp must call it.
  __device__ __forceinline__ int take(unsigned wanting, int lane, int n, int chunk, Counter* counter) {
    int board = -1;
    int rank = __popc(wanting & ((1u << lane) - 1));
    int wanted = __popc(wanting);
    const bool wants = wanting >> lane & 1;
    for (;;) {
      if (wants && board < 0 && rank >= 0 && rank < end - next) board = next + rank;
      const int given = min(wanted, end - next);
      next += given, wanted -= given, rank -= given;
      if (wanted == 0 || end == n) return board;
      Counter first = 0;
      if (lane == 0) first = atomicAdd(counter, static_cast<Counter>(chunk));
      first = __shfl_sync(~0u, first, 0);
      next = static_cast<int>(min(first, static_cast<Counter>(n)));
      end = static_cast<int>(min(first + static_cast<Counter>(chunk), static_cast<Counter>(n)));
      if (next == n) return board;
    }
  }
};

// Stores the number of solutions that a lane found. If `part`, other lanes also search this board, so the
// number is added atomically.
template <bool part>
__device__ __forceinline__ void add(std::int32_t* count, std::int32_t ways) {
  if (!part)
    *count = ways;
  else if (ways)
    atomicAdd(count, ways);
}

// Work stealing: the k-th lane in `takers` takes a row from the k-th lane that has rows on its stack. It
// takes the lowest one, which has the largest remaining subtree. Returns the board that the calling lane then
// works on. All lanes of the warp must call it.
template <int bytes>
__device__ __forceinline__ int steal(unsigned takers, int lane, int board, Walk<bytes>& walk) {
  const unsigned givers = __ballot_sync(~0u, board >= 0 && walk.has_waiting()), before = (1u << lane) - 1;
  const int rank = __popc(takers & before);
  const bool takes = takers >> lane & 1 && rank < __popc(givers);
  const auto giver = static_cast<int>(takes ? __fns(givers, 0, rank + 1) : static_cast<unsigned>(lane));
  const int their_board = __shfl_sync(~0u, board, giver);
  const int their_lowest = __shfl_sync(~0u, walk.bottom + walk.step, giver);
  __syncwarp();  // makes the rows that other lanes pushed visible
  if (takes) {
    Row row{};
    Waiting<bytes>::pop_if(true, their_lowest, row);
    walk.begin(row);
  }
  __syncwarp();
  if (givers >> lane & 1 && __popc(givers & before) < __popc(takers)) {
    walk.bottom += walk.step;  // the level of the stolen row becomes the sentinel
    Waiting<bytes>::push_if(true, walk.bottom, {Waiting<bytes>::mark, 0, 0, 0});
  }
  return takes ? their_board : board;
}

template <bool steals, int bytes>
__global__ void count_all(Boards boards, Counter* counter, int chunk, int steps) {
  extern __shared__ uint4 levels[];
  Walk<bytes> walk(levels, static_cast<int>(blockDim.x));
  const int lane = static_cast<int>(threadIdx.x % 32);
  Share share;
  int board = -1;  // the board that the lane searches, or -1 if it has none
  for (bool left = true;;) {
    if (board >= 0 && walk.ended()) {
      add<steals>(boards.count + board, walk.ways);
      board = -1;
    }
    unsigned idle = __ballot_sync(~0u, board < 0);
    if (idle && left) {
      const int taken = share.take(idle, lane, boards.n, chunk, counter);
      left = share.next < share.end || share.end < boards.n;
      if (taken >= 0) {
        const Row row = boards.row(taken);
        if (row.free)
          walk.begin(row), board = taken;
        else
          add<steals>(boards.count + taken, row.columns == boards.all);
      }
      idle = __ballot_sync(~0u, board < 0);
    }
    if (idle == ~0u && !left) return;
    if constexpr (steals)
      if (idle && !left) board = steal(idle, lane, board, walk);
#pragma unroll 4
    for (int s = 0; s < steps; ++s) walk.advance(boards.all);
  }
}

inline const char* prepare_counter(const Call&, void** state) {
  if (cudaMalloc(state, sizeof(Counter)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for a counter";
}

template <bool steals>
void launch_crew(const Call& call) {
  const auto crew = call.tuned<Crew>();
  const Boards boards = boards_of(call);
  cudaMemsetAsync(call.state, 0, sizeof(Counter), stream_of(call));
  if (steals)
    cudaMemsetAsync(boards.count, 0, sizeof(std::int32_t) * static_cast<std::size_t>(boards.n),
                    stream_of(call));
  const std::int64_t threads =
      32 * std::min<std::int64_t>(std::int64_t{crew.warps} * multiprocessors(), boards.n);
  RowBytes::with(crew.row_bytes, [&]<int bytes>() {
    count_all<steals, bytes><<<blocks_for(threads, crew.block_size), crew.block_size,
                               levels_bytes<bytes>(boards, crew.block_size), stream_of(call)>>>(
        boards, static_cast<Counter*>(call.state), crew.chunk, crew.steps);
  });
}

// Chooses the number of boards that a warp takes at once, such that each warp takes boards about eight times.
inline void adapt_crew(const Problem& problem, Crew& crew) {
  crew.chunk = 1;
  const std::int64_t warps = std::int64_t{crew.warps} * multiprocessors();
  for (const int chunk : {2, 4, 8, 16, 32})
    if (chunk * warps * 8 <= problem.extents.x) crew.chunk = chunk;
}

inline const char* refuse_crew(const Problem& problem, const Crew& crew) {
  if (crew.row_bytes == 8 && board_of(problem) > 15)
    return "boards of more than 15 columns need row_bytes=16";
  return refuse_count(problem, nullptr);
}

template <bool steals>
Variant crew_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Crew>({{"block_size", &Crew::block_size, {32, 64, 128}},
                                     {"warps", &Crew::warps, {8, 16, 24, 32, 48, 64}},
                                     {"chunk", &Crew::chunk, {1, 2, 4, 8, 16, 32}},
                                     {"steps", &Crew::steps, {1, 2, 4, 8, 16, 32}},
                                     {"row_bytes", &Crew::row_bytes, RowBytes::list()}});
  variant.adapt = by_name<adapt_crew>;
  variant.constraint = by_name<refuse_crew>;
  variant.prepare = prepare_counter;
  variant.release = [](void* state) { cudaFree(state); };
  variant.workspace = [](const Problem&, const int*) { return static_cast<std::int64_t>(sizeof(Counter)); };
  variant.launch.int32 = launch_crew<steals>;
  return variant;
}

}  // namespace sextant::nqueens

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
  Variant variant =
      threads_variant("one board per thread; the queens' columns in one word, so no stack in memory");
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
  Variant variant =
      threads_variant("one board per thread, its stack in shared memory; steps without branches");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace shared_stack

// Several lanes share a board. Each lane enumerates all placements of queens in the board's next `rows` rows,
// but searches further only below those assigned to it.
namespace split {

using namespace nqueens;
using Lanes = Choices<2, 4, 8, 16, 32>;

struct Shape {
  int block_size = 128, lanes = 8, rows = 2;
};

// Number of queens on the board once its next `rows` rows are filled.
__device__ __forceinline__ int queens_after(const Boards& boards, const Row& row, int rows) {
  return __popc(row.columns) + min(rows, boards.rows);
}

// Counts the solutions that the calling lane must find. Placements with `queens` queens are assigned to the
// lanes round-robin. If the board is complete before that level, lane 0 counts it.
__device__ __forceinline__ std::int32_t own_ways(const Boards& boards, Row row, int queens, int lane,
                                                 int lanes, Stack& stack) {
  std::int32_t ways = row.columns == boards.all && lane == 0;
  if (!row.free) return ways;
  int turn = 0;
  for (bool more = true; more;) {
    Row below = place(boards.all, row);
    // above the level at which placements are assigned, all lanes do the same work
    if (__popc(below.columns) < queens) {
      if (below.free) {
        if (row.free) stack.push(row);
        row = below;
        continue;
      }
    } else if (turn++ % lanes == lane) {
      ways += below.columns == boards.all;
      const int bottom = stack.bottom;
      stack.bottom = stack.top;  // levels below this one belong to other placements
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
  Variant variant = threads_variant("the plain form: one board per thread, with its own stack");
  variant.launch.int32 = launch_threads<count_all>;
  return variant;
}

}  // namespace thread

}  // namespace

std::vector<Variant> nqueens_cuda() {
  return {
      named("queue", nqueens::crew_variant<false>(
                         "lanes that have finished a board take the next one from a global counter")),
      named("registers", registers::form()),
      named("shared_stack", shared_stack::form()),
      {.name = "split",
       .description = "several lanes per board, which divide the placements of queens in its next rows",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<split::Shape>({{"block_size", &split::Shape::block_size, {32, 64, 128}},
                                           {"lanes", &split::Shape::lanes, split::Lanes::list()},
                                           {"rows", &split::Shape::rows, {1, 2, 3}}}),
       .launch = {.int32 = split::launch},
       .constraint = refuse_count},
      named("steal",
            nqueens::crew_variant<true>(
                "like `queue`; when no board is left, idle lanes take rows from other lanes of their "
                "warp")),
      named("thread", thread::form()),
  };
}

}  // namespace sextant
