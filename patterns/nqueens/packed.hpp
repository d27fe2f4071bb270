// Backtracking search without a stack in memory. The columns of the placed queens, five bits each, are packed
// into one word. Removing a queen clears her bits. Diagonals are stored such that no bit is lost at the edge
// of the board.
#pragma once

#include "loop.hpp"

namespace sextant::nqueens {

inline constexpr int most_packed = 12;  // largest number of rows whose columns fit in 64 bits

SEXTANT_NQUEENS_INLINE Set lowest(Set set) { return set & (~set + 1); }

SEXTANT_NQUEENS_INLINE std::int32_t ways_packed(Set all, int rows, Set columns, Set left, Set right) {
  if (rows == 0) return 1;
  // bit c - row + rows is set if a queen attacks column c of row `row` along this diagonal
  Set falling = left << rows;
  Set rising = right;  // bit c + row is set if a queen attacks column c of row `row` along this diagonal
  std::uint64_t path = 0;
  std::int32_t ways = 0;
  int row = 0;
  Set free = all & ~(columns | left | right);
  for (;;) {
    if (free && row < rows - 1) {
      const Set bit = lowest(free);
      path = path << 5 | static_cast<std::uint64_t>(__builtin_popcount(bit - 1));
      columns |= bit, falling |= bit << (rows - row), rising |= bit << row;
      ++row;
      free = all & ~(columns | falling >> (rows - row) | rising >> row);
    } else {
      ways += __builtin_popcount(free);
      if (row == 0) return ways;
      const Set bit = Set{1} << (path & 31);
      path >>= 5;
      --row;
      columns ^= bit, falling ^= bit << (rows - row), rising ^= bit << row;
      free = all & ~(columns | falling >> (rows - row) | rising >> row) & ~(2 * bit - 1);
    }
  }
}

// Returns null, or the reason why a problem's columns cannot be packed into one word (a Variant::constraint).
inline const char* refuse_many_rows(const Problem& problem, const int*) {
  return rows_left(problem) > most_packed
             ? "more than 12 rows to fill: their columns do not fit in a 64-bit word"
             : nullptr;
}

}  // namespace sextant::nqueens
