// The operators of NAS MG on rows along x, for the host variants. A row has n elements and is periodic.
#pragma once

#include "problem.hpp"

namespace sextant::npb_mg {
namespace {

// Pointers to a row and its eight neighbours along y and z: four at its sides and four at its diagonals.
struct NineRows {
  const double *centre, *sides[4], *diagonals[4];
};

// Returns the nine rows around row j of plane k. row(k, j) must accept indices from -1 to n.
template <typename Row>
NineRows nine_rows(const Row& row, std::int64_t k, std::int64_t j) {
  return {row(k, j),
          {row(k, j - 1), row(k, j + 1), row(k - 1, j), row(k + 1, j)},
          {row(k - 1, j - 1), row(k - 1, j + 1), row(k + 1, j - 1), row(k + 1, j + 1)}};
}

// Scratch memory for three lines of n elements with a halo element at each end: the row itself, the sum of
// the rows at its sides, and the sum of the rows at its diagonals. Lines are aligned to 64 bytes.
struct Lines {
  double *centre, *side, *diagonal;
  Lines(double* memory, std::int64_t n)
      : centre(memory + 8), side(centre + n + 16), diagonal(side + n + 16) {}
  static constexpr std::int64_t doubles(std::int64_t n) { return 3 * (n + 16); }
};

inline void close_line(double* line, std::int64_t n) {
  line[-1] = line[n - 1];
  line[n] = line[0];
}

inline void add_rows(std::int64_t n, const NineRows& rows, const Lines& lines) {
  double *const side = lines.side, *const diagonal = lines.diagonal;
  const double *const s0 = rows.sides[0], *const s1 = rows.sides[1], *const s2 = rows.sides[2],
                      *const s3 = rows.sides[3];
  const double *const d0 = rows.diagonals[0], *const d1 = rows.diagonals[1], *const d2 = rows.diagonals[2],
                      *const d3 = rows.diagonals[3];
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    side[i] = (s0[i] + s1[i]) + (s2[i] + s3[i]);
    diagonal[i] = (d0[i] + d1[i]) + (d2[i] + d3[i]);
  }
  close_line(side, n);
  close_line(diagonal, n);
}

// Computes a row of the residual r = v - A u.
inline void residual_row(std::int64_t n, const double* v, const NineRows& u, const Lines& lines, double* r) {
  add_rows(n, u, lines);
  const double *const side = lines.side, *const diagonal = lines.diagonal, *const centre = u.centre;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i)
    r[i] = v[i] - a_centre * centre[i] - a_edge * (diagonal[i] + (side[i - 1] + side[i + 1])) -
           a_corner * (diagonal[i - 1] + diagonal[i + 1]);
}

// Computes out = u + S r.
inline void smooth_row(std::int64_t n, const Smoother& s, const double* u, const NineRows& r,
                       const Lines& lines, double* out) {
  add_rows(n, r, lines);
  const double *const side = lines.side, *const diagonal = lines.diagonal;
  double* const centre = lines.centre;
  const double* const own = r.centre;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) centre[i] = own[i];
  close_line(centre, n);
  const double c0 = s.centre, c1 = s.face, c2 = s.edge;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = u[i] + c0 * centre[i] + c1 * ((centre[i - 1] + centre[i + 1]) + side[i]) +
             c2 * (diagonal[i] + (side[i - 1] + side[i + 1]));
}

// Computes a row of the coarse grid, which has n / 2 elements, from the nine fine rows around it.
inline void restrict_row(std::int64_t n, const NineRows& r, const Lines& lines, double* coarse) {
  add_rows(n, r, lines);
  double *const side = lines.side, *const diagonal = lines.diagonal;
  const double* const centre = r.centre;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) side[i] = centre[i] + 0.5 * side[i] + 0.25 * diagonal[i];
  close_line(side, n);
  for (std::int64_t c = 0; c < n / 2; ++c)
    coarse[c] = 0.5 * side[2 * c + 1] + 0.25 * (side[2 * c] + side[2 * c + 2]);
}

// Computes out = u + Q z for row j of plane k of a grid with side n. coarse(k, j) must return a row of z. A
// null u means 0.
template <typename Row>
void interpolate_row(std::int64_t n, const Row& coarse, std::int64_t k, std::int64_t j, const double* u,
                     const Lines& lines, double* out) {
  const std::int64_t m = n / 2, k0 = (k - 1) >> 1, k1 = k >> 1, j0 = (j - 1) >> 1, j1 = j >> 1;
  const double *const z0 = coarse(k0, j0), *const z1 = coarse(k0, j1), *const z2 = coarse(k1, j0),
                      *const z3 = coarse(k1, j1);
  double* const line = lines.side;
#pragma omp simd
  for (std::int64_t c = 0; c < m; ++c) line[c] = 0.25 * ((z0[c] + z1[c]) + (z2[c] + z3[c]));
  line[-1] = line[m - 1];
  for (std::int64_t c = 0; c < m; ++c) {
    const double even = 0.5 * (line[c - 1] + line[c]), odd = line[c];
    out[2 * c] = u ? u[2 * c] + even : even;
    out[2 * c + 1] = u ? u[2 * c + 1] + odd : odd;
  }
}

inline double sum_of_squares(std::int64_t n, const double* r) {
  double sums[4] = {};
  for (std::int64_t i = 0; i < n; i += 4)
    for (int j = 0; j < 4; ++j) sums[j] += r[i + j] * r[i + j];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Returns row j of plane k of a periodic field with side n.
template <typename T>
struct FieldRows {
  T* data;
  std::int64_t n;
  T* operator()(std::int64_t k, std::int64_t j) const {
    return data + ((k & (n - 1)) * n + (j & (n - 1))) * n;
  }
};
template <typename T>
FieldRows(T*, std::int64_t) -> FieldRows<T>;

}  // namespace
}  // namespace sextant::npb_mg
