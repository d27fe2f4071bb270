// nqueens: counts the ways to fill the remaining rows, for many boards whose first rows already have queens.
// Three sets describe the next row of a board: the columns that hold a queen, and the columns that queens
// attack diagonally from above right (`left`) and from above left (`right`).
//
//     for (i = 0; i < n; ++i) count[i] = ways(columns[i], left[i], right[i]);
//
//     ways(columns, left, right):
//       if (columns == all) return 1;
//       sum = 0;
//       for (each bit of all & ~(columns | left | right))
//         sum += ways(columns | bit, (left | bit) << 1, (right | bit) >> 1);
//       return sum;
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_NQUEENS_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_NQUEENS_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::nqueens {

using Set = std::uint32_t;  // a set of columns, one bit each

inline constexpr int most_rows = 19;  // largest number of rows left to fill

constexpr int board_of(const Problem& problem) { return static_cast<int>(problem.parameters[0]); }
constexpr int rows_left(const Problem& problem) {
  return static_cast<int>(problem.parameters[0] - problem.parameters[1]);
}
constexpr Set all_of(const Problem& problem) { return (Set{1} << board_of(problem)) - 1; }

// A row to fill, with the columns that are still free in it.
struct Row {
  Set columns, left, right, free;
};

SEXTANT_NQUEENS_INLINE Row row_of(Set all, Set columns, Set left, Set right) {
  return {columns, left, right, all & ~(columns | left | right)};
}

// Places a queen on the lowest free column of `row` and returns the row below. `row` keeps its other free
// columns.
SEXTANT_NQUEENS_INLINE Row place(Set all, Row& row) {
  const Set others = row.free & (row.free - 1), bit = row.free ^ others;
  row.free = others;
  return row_of(all, row.columns | bit, (row.left | bit) << 1, (row.right | bit) >> 1);
}

// Counts the solutions that start with `row`, which must have a free column. `stack` must have room for
// most_rows rows.
SEXTANT_NQUEENS_INLINE std::int32_t ways_with(Set all, Row row, Row* stack) {
  std::int32_t ways = 0;
  for (int waiting = 0;;) {
    const Row below = place(all, row);
    ways += below.columns == all;
    if (below.free) {
      if (row.free) stack[waiting++] = row;
      row = below;
    } else if (!row.free) {
      if (waiting == 0) return ways;
      row = stack[--waiting];
    }
  }
}

SEXTANT_NQUEENS_INLINE std::int32_t ways_by_stack(Set all, Set columns, Set left, Set right) {
  Row stack[most_rows];
  const Row row = row_of(all, columns, left, right);
  return row.free ? ways_with(all, row, stack) : columns == all;
}

#ifndef __CUDACC__
// `static`: each including source file compiles its own copy with its own compiler flags.
[[maybe_unused]] static std::int32_t ways(Set all, Set columns, Set left, Set right) {
  if (columns == all) return 1;
  std::int32_t sum = 0;
  for (Set free = all & ~(columns | left | right); free; free &= free - 1) {
    const Set bit = free & (~free + 1);
    sum += ways(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return sum;
}

// ways_by_stack as a function object, so that the compiler can inline it into templates.
inline constexpr auto by_stack = [](Set all, Set columns, Set left, Set right) {
  return ways_by_stack(all, columns, left, right);
};

// Counts the solutions of board i with function `ways_of`.
template <typename Ways>
[[maybe_unused]] static void count_one(const Call& call, std::int64_t i, const Ways& ways_of) {
  const auto set = [&](int array) { return static_cast<Set>(call.array<const std::int32_t>(array)[i]); };
  call.array<std::int32_t>(3)[i] = ways_of(all_of(call.problem), set(0), set(1), set(2));
}

[[maybe_unused]] static void loop(const Call& call) {
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) count_one(call, i, ways);
}
#endif

}  // namespace sextant::nqueens
