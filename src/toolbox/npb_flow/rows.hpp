// Computes norms in offloaded regions with a fixed order of summation: rows, then planes, then the total.
#pragma once

#include <cmath>

#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb::flow {

// Returns the number of partial sums: norm_count for each row and for each plane of interior points.
constexpr std::int64_t partial_doubles(std::int64_t n) { return norm_count * (n - 2) * (n - 1); }

SEXTANT_FLOW Five add_squares(const Five& sums, const Five& a) {
  return {sums.r + a.r * a.r, sums.x + a.x * a.x, sums.y + a.y * a.y, sums.z + a.z * a.z, sums.e + a.e * a.e};
}

// add_residual_row and add_error_row sum the squares over row `row` of interior points. They are separate
// because one function for both needs too many registers on a GPU.
SEXTANT_FLOW void add_residual_row(const Grid& g, const double* u, const double* f, std::int64_t row,
                                   double* partial) {
  const std::int64_t inner = g.n - 2, j = row % inner + 1, k = row / inner + 1;
  Five sums = {};
  for (std::int64_t i = 1; i < g.n - 1; ++i) sums = add_squares(sums, residual_at(g, u, f, i, j, k));
  store(partial, inner * inner, row, sums);
}
SEXTANT_FLOW void add_error_row(const Grid& g, const double* u, std::int64_t row, double* partial) {
  const std::int64_t inner = g.n - 2, j = row % inner + 1, k = row / inner + 1;
  Five sums = {};
  for (std::int64_t i = 1; i < g.n - 1; ++i)
    sums = add_squares(sums, difference(load(u, g.size(), g.at(i, j, k)), exact_at(g.n, i, j, k)));
  store(partial + components * inner * inner, inner * inner, row, sums);
}

// Sums norm m over plane k of interior points, where item = m * inner + k. The row sums must be complete.
SEXTANT_FLOW void add_plane(std::int64_t inner, std::int64_t item, double* partial) {
  double sum = 0;
  for (std::int64_t i = 0; i < inner; ++i) sum += partial[item * inner + i];
  partial[norm_count * inner * inner + item] = sum;
}

SEXTANT_FLOW double norm_of(std::int64_t inner, std::int64_t m, const double* partial) {
  double sum = 0;
  for (std::int64_t k = 0; k < inner; ++k) sum += partial[norm_count * inner * inner + m * inner + k];
  const auto side = static_cast<double>(inner);
  return std::sqrt(sum / (side * side * side));
}

// Largest number of points per axis for which 32 bits can count the interior points.
inline constexpr std::int64_t most_numbered = 1290;
inline const char* refuse_unnumbered(const Problem& problem, const int*) {
  return points(problem) > most_numbered
             ? "more than 1290 points per axis: the offloaded loops count points in 32 bits"
             : nullptr;
}

}  // namespace sextant::npb::flow
