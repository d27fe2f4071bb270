// How many queens a search places, by an estimate.
#pragma once

#include <cmath>

#include "loop.hpp"

namespace sextant::nqueens {

// Columns free in row `row` of a board whose rows above have their queens: not those of the queens, nor, for
// each of them, her two diagonals, which are on the board the less often the further she is away. Queens who
// do not attack each other attack more columns than ones placed at random: what that takes away was fitted to
// boards of 8 to 20, whose queens it has to 20 %.
inline double free_columns(int board, int row) {
  double free = board - row;
  for (int away = 1; away <= row; ++away)
    free *= 1 - 2.0 * (board - away) / (static_cast<double>(board) * (board - 1));
  const double part = static_cast<double>(row) / board, power = part * part * part * part;
  return free * std::exp(-1.09 * (1 - 5.0 / board) * power / (power + 0.25));
}

// For a board, in the mean.
inline double queens_of(const Problem& problem) {
  double queens = 0, in_row = 1;
  for (auto row = static_cast<int>(problem.parameters[1]); row < board_of(problem); ++row) {
    in_row *= free_columns(board_of(problem), row);
    queens += in_row;
  }
  return queens;
}

}  // namespace sextant::nqueens
