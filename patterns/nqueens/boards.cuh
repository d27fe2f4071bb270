// Helpers of the CUDA variants: boards in device memory and search stacks in shared memory.
#pragma once

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::nqueens {

struct Boards {
  int n;
  Set all;
  int rows;  // rows that are still to be filled on each board
  const std::int32_t* __restrict__ columns, * __restrict__ left, * __restrict__ right;
  std::int32_t* __restrict__ count;

  __device__ __forceinline__ Row row(int i) const {
    return row_of(all, static_cast<Set>(columns[i]), static_cast<Set>(left[i]), static_cast<Set>(right[i]));
  }
};

inline Boards boards_of(const Call& call) {
  return {static_cast<int>(call.problem.extents.x),
          all_of(call.problem),
          rows_left(call.problem),
          call.array<const std::int32_t>(0),
          call.array<const std::int32_t>(1),
          call.array<const std::int32_t>(2),
          call.array<std::int32_t>(3)};
}

// Size in bytes of the stacks of a block's threads in shared memory. Each thread has 16 bytes per level. So
// any 8 consecutive lanes access all banks without conflicts, whatever their levels.
inline std::size_t stack_bytes(const Boards& boards, int block) {
  return sizeof(uint4) * static_cast<std::size_t>(boards.rows * block);
}

// The calling thread's stack in shared memory. Levels `bottom` … `top` - 1 hold rows with columns that are
// still to be tried.
struct Stack {
  uint4* own;  // the thread's entry at level 0
  int step;    // distance in elements between two levels of this thread
  int bottom = 0, top = 0;

  __device__ __forceinline__ Stack(uint4* rows, int block) : own(rows + threadIdx.x), step(block) {}
  __device__ __forceinline__ bool empty() const { return bottom == top; }
  __device__ __forceinline__ void push(const Row& row) {
    own[top++ * step] = {row.columns, row.left, row.right, row.free};
  }
  __device__ __forceinline__ Row pop() {
    const uint4 words = own[--top * step];
    return {words.x, words.y, words.z, words.w};
  }
};

// Places one queen in `row`, which must have a free column, and counts the board in `ways` if it is complete.
// Returns false if the search has ended. Otherwise sets `row` to the next row to try, which has a free
// column.
__device__ __forceinline__ bool step(Set all, Row& row, Stack& stack, std::int32_t& ways) {
  const Row below = place(all, row);
  ways += below.columns == all;
  if (below.free) {
    if (row.free) stack.push(row);
    row = below;
  } else if (!row.free) {
    if (stack.empty()) return false;
    row = stack.pop();
  }
  return true;
}

inline const char* refuse_count(const Problem& problem, const int*) {
  return problem.extents.x > INT32_MAX ? "more boards than an int32 can count" : nullptr;
}

struct Block {
  int block_size = 128;
};

template <void (*kernel)(Boards)>
void launch_threads(const Call& call) {
  const Boards boards = boards_of(call);
  const int block = call.tuned<Block>().block_size;
  kernel<<<blocks_for(boards.n, block), block, 0, stream_of(call)>>>(boards);
}

inline Variant threads_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128}}});
  variant.constraint = refuse_count;
  return variant;
}

}  // namespace sextant::nqueens
