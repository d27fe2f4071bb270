// Estimates how many queens a backtracking search places.
#pragma once

#include <cmath>

#include "loop.hpp"

namespace sextant::nqueens {

// Estimates the number of free columns in row `row` if all rows above have queens. It removes the column and
// two diagonals of each queen; diagonals of distant queens often leave the board before this row. The
// correction in the last line is fitted to boards of 8 to 20 columns. For these the number of queens is
// accurate to 20 %.
inline double free_columns(int board, int row) {
  double free = board - row;
  for (int away = 1; away <= row; ++away)
    free *= 1 - 2.0 * (board - away) / (static_cast<double>(board) * (board - 1));
  const double part = static_cast<double>(row) / board, power = part * part * part * part;
  return free * std::exp(-1.09 * (1 - 5.0 / board) * power / (power + 0.25));
}

// The mean number of queens that the search of one board places.
inline double queens_of(const Problem& problem) {
  double queens = 0, in_row = 1;
  for (auto row = static_cast<int>(problem.parameters[1]); row < board_of(problem); ++row) {
    in_row *= free_columns(board_of(problem), row);
    queens += in_row;
  }
  return queens;
}

}  // namespace sextant::nqueens
