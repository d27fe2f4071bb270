// Operations at a point for the LU variants that process one hyperplane i + j + k at a time. Points of a
// hyperplane depend only on the previous hyperplane.
#pragma once

#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/rows.hpp"

namespace sextant::npb_lu {

// Range of the hyperplanes of interior points. first_row and end_row return the range of rows along an axis
// that can have points of one hyperplane.
inline constexpr int first_plane = 3;
constexpr int last_plane(int n) { return 3 * (n - 2); }
constexpr int first_row(int n, int plane) {
  const int smallest = plane - 2 * (n - 2);
  return smallest > 1 ? smallest : 1;
}
constexpr int end_row(int n, int plane) {
  const int largest = plane - 2;
  return largest < n - 2 ? largest + 1 : n - 1;
}

SEXTANT_FLOW void load_vector(const double* from, std::int64_t size, std::int64_t at,
                              double (&to)[components]) {
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m) to[m] = from[m * size + at];
}

// Adds the contribution of the neighbour at offset `there` along an axis to a point's equations.
template <int axis, int sign>
SEXTANT_FLOW void add_neighbour(const Weights& w, const double* u, const double* v, std::int64_t size,
                                std::int64_t there, double (&sum)[components]) {
  double y[components], part[components];
  load_vector(v, size, there, y);
  product<axis, sign>(w, stored_point(u, size, there), y, part);
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m) sum[m] += part[m];
}

// Processes one point of a sweep.
template <bool upper>
SEXTANT_FLOW void sweep_point(const Grid& g, double dt, const double* u, std::int64_t i, std::int64_t j,
                              std::int64_t k, double* v) {
  constexpr int sign = upper ? 1 : -1;
  const Weights w(g.n, dt);
  const std::int64_t size = g.size(), at = g.at(i, j, k);
  double sum[components] = {}, value[components];
  add_neighbour<0, sign>(w, u, v, size, at + sign, sum);
  add_neighbour<1, sign>(w, u, v, size, at + sign * g.pitch, sum);
  add_neighbour<2, sign>(w, u, v, size, at + sign * g.pitch * g.n, sum);
  load_vector(v, size, at, value);
  relax<upper>(w, own_of(w, stored_point(u, size, at)), sum, value);
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m) v[m * size + at] = value[m];
}

// Updates the flow state at a point.
SEXTANT_FLOW void change_point(const Grid& g, const double* v, std::int64_t i, std::int64_t j, std::int64_t k,
                               double* u) {
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m)
    u[m * g.size() + g.at(i, j, k)] += step_factor * v[m * g.size() + g.at(i, j, k)];
}

SEXTANT_FLOW double integral_of_rows(std::int64_t n, const double* rows) {
  double sum = 0;
  for (std::int64_t row = 0; row < 3 * n; ++row) sum += rows[row];
  return integral_factor(n) * sum;
}

}  // namespace sextant::npb_lu
