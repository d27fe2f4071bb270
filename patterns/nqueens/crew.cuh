// Lanes that take the next board as they become free, some steps of all lanes at a time; and, where no board is left to take, a row
// that waits on the stack of another lane of their warp.
#pragma once

#include "suite/choices.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "walk.cuh"

namespace sextant::nqueens {

struct Crew {
  int block_size = 128, warps = 32, chunk = 8, steps = 16, row_bytes = 16;
};

using RowBytes = Choices<8, 16>;
using Counter = unsigned long long;

// The boards that a warp has taken from the counter, and not yet given to its lanes.
struct Share {
  int next = 0, end = 0;  // of the same value in all lanes

  // One for each of `wanting` lanes, in their order, if there is one; else -1. The whole warp calls it.
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

// What a lane has found of a board: all of it, or a part beside those of other lanes.
template <bool part>
__device__ __forceinline__ void add(std::int32_t* count, std::int32_t ways) {
  if (!part)
    *count = ways;
  else if (ways)
    atomicAdd(count, ways);
}

// The k-th of `takers` takes the lowest row of the k-th lane that has one waiting: the one with most below it. Returns whose board the calling
// lane has then. The whole warp calls it.
template <int bytes>
__device__ __forceinline__ int steal(unsigned takers, int lane, int board, Walk<bytes>& walk) {
  const unsigned givers = __ballot_sync(~0u, board >= 0 && walk.has_waiting()), before = (1u << lane) - 1;
  const int rank = __popc(takers & before);
  const bool takes = takers >> lane & 1 && rank < __popc(givers);
  const auto giver = static_cast<int>(takes ? __fns(givers, 0, rank + 1) : static_cast<unsigned>(lane));
  const int their_board = __shfl_sync(~0u, board, giver);
  const int their_lowest = __shfl_sync(~0u, walk.bottom + walk.step, giver);
  __syncwarp();  // rows that were put aside are seen
  if (takes) {
    Row row{};
    Waiting<bytes>::pop_if(true, their_lowest, row);
    walk.begin(row);
  }
  __syncwarp();
  if (givers >> lane & 1 && __popc(givers & before) < __popc(takers)) {
    walk.bottom += walk.step;  // the row that is taken becomes the mark
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
  int board = -1;  // whose search it is; -1: none
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
  cudaGetLastError();  // an error that is reported must not be found by a later check
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

// Boards at a time so that each warp takes some eight times.
inline void adapt_crew(const Problem& problem, Crew& crew) {
  crew.chunk = 1;
  for (const int chunk : {2, 4, 8, 16, 32})
    if (std::int64_t{chunk} * crew.warps * 132 * 8 <= problem.extents.x) crew.chunk = chunk;
}

inline const char* refuse_crew(const Problem& problem, const Crew& crew) {
  if (crew.row_bytes == 8 && board_of(problem) > 15)
    return "more than 15 columns, which rows of 8 bytes do not hold";
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
