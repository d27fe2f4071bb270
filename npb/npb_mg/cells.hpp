// Cells of 2 x 2 points of a plane, for OpenACC loops in which an iteration processes one cell of every plane
// along z. In each plane, the cell's points and their neighbours are loaded once, two adjacent points per
// access. Indices x and y are periodic; sides are powers of two.
#pragma once

#include "problem.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::npb_mg {
namespace {

// The values around a cell. A Row has points x - 1 … x + 2 for even x; a Patch has rows y - 1 … y + 2.
struct Row {
  double west, left, right, east;
};
struct Patch {
  Row before, low, high, after;
};
struct Cell {
  double low_left, low_right, high_left, high_right;
};

SEXTANT_INLINE Row plus(const Row& a, const Row& b) {
  return {a.west + b.west, a.left + b.left, a.right + b.right, a.east + b.east};
}
SEXTANT_INLINE Patch plus(const Patch& a, const Patch& b) {
  return {plus(a.before, b.before), plus(a.low, b.low), plus(a.high, b.high), plus(a.after, b.after)};
}

// Indices of a cell and its neighbours in a periodic plane of side 2^bits.
struct Around {
  int x, west, east, before, low, high, after;  // before, low, high and after are offsets of rows
  SEXTANT_INLINE Around(int bits, int cell_x, int cell_y) {
    const int mask = (1 << bits) - 1, y = 2 * cell_y;
    x = 2 * cell_x;
    west = (x - 1) & mask;
    east = (x + 2) & mask;
    before = ((y - 1) & mask) << bits;
    low = y << bits;
    high = (y + 1) << bits;
    after = ((y + 2) & mask) << bits;
  }
  SEXTANT_INLINE Row row(const double* from) const {
    double two[2];
    openacc::load_pack(from + x, two);
    return {from[west], two[0], two[1], from[east]};
  }
  SEXTANT_INLINE Patch patch(const double* plane) const {
    return {row(plane + before), row(plane + low), row(plane + high), row(plane + after)};
  }
  SEXTANT_INLINE Cell cell(const double* plane) const {
    double lower[2], upper[2];
    openacc::load_pack(plane + low + x, lower);
    openacc::load_pack(plane + high + x, upper);
    return {lower[0], lower[1], upper[0], upper[1]};
  }
  SEXTANT_INLINE void store(double* plane, const Cell& c) const {
    const double lower[2] = {c.low_left, c.low_right}, upper[2] = {c.high_left, c.high_right};
    openacc::store_pack(plane + low + x, lower);
    openacc::store_pack(plane + high + x, upper);
  }
};

// ---- sums over 27 points, plane by plane ----

// Weights of a 27-point stencil: of the point itself, and of its neighbours at faces, edges and corners.
struct Weights {
  double centre, face, edge, corner;
};

// Computes the contributions of one plane to 27-point stencils: `same` to the point in this plane, `next` to
// the points below and above it. `own` is the point's value. `sides` and `diagonals` are the sums of its
// neighbours in the plane.
SEXTANT_INLINE void in_plane(const Weights& w, double own, double sides, double diagonals, double& same,
                             double& next) {
  same = w.centre * own + w.face * sides + w.edge * diagonals;
  next = w.face * own + w.edge * sides + w.corner * diagonals;
}

// Computes 27-point stencils for a cell's points, plane by plane. push for plane k returns the results of
// plane k - 1, if planes k - 2 and k - 1 were pushed before.
struct Sums {
  Cell begun = {}, below = {};

  SEXTANT_INLINE Cell push(const Weights& w, const Patch& p) {
    Cell same, next;
    // Sums of the left and right neighbours in each row, for the cell's two columns.
    const double b0 = p.before.west + p.before.right, b1 = p.before.left + p.before.east,
                 l0 = p.low.west + p.low.right, l1 = p.low.left + p.low.east, h0 = p.high.west + p.high.right,
                 h1 = p.high.left + p.high.east, a0 = p.after.west + p.after.right,
                 a1 = p.after.left + p.after.east;
    in_plane(w, p.low.left, l0 + (p.before.left + p.high.left), b0 + h0, same.low_left, next.low_left);
    in_plane(w, p.low.right, l1 + (p.before.right + p.high.right), b1 + h1, same.low_right, next.low_right);
    in_plane(w, p.high.left, h0 + (p.low.left + p.after.left), l0 + a0, same.high_left, next.high_left);
    in_plane(w, p.high.right, h1 + (p.low.right + p.after.right), l1 + a1, same.high_right, next.high_right);
    const Cell done = {begun.low_left + next.low_left, begun.low_right + next.low_right,
                       begun.high_left + next.high_left, begun.high_right + next.high_right};
    begun = {same.low_left + below.low_left, same.low_right + below.low_right,
             same.high_left + below.high_left, same.high_right + below.high_right};
    below = next;
    return done;
  }
};

// ---- interpolation ----

// 3 x 3 points of the coarse grid: the one that coincides with a point of the cell, and its neighbours.
struct Three {
  double west, own, east;
};
struct Nine {
  Three before, own, after;
};

SEXTANT_INLINE Three plus(const Three& a, const Three& b) {
  return {a.west + b.west, a.own + b.own, a.east + b.east};
}
SEXTANT_INLINE Nine plus(const Nine& a, const Nine& b) {
  return {plus(a.before, b.before), plus(a.own, b.own), plus(a.after, b.after)};
}

struct Coarse {
  int x, west, east, before, y, after;
  SEXTANT_INLINE Coarse(int bits, int cell_x, int cell_y) {
    const int mask = (1 << bits) - 1;
    x = cell_x;
    west = (x - 1) & mask;
    east = (x + 1) & mask;
    y = cell_y << bits;
    before = ((cell_y - 1) & mask) << bits;
    after = ((cell_y + 1) & mask) << bits;
  }
  SEXTANT_INLINE Three three(const double* row) const { return {row[west], row[x], row[east]}; }
  SEXTANT_INLINE Nine nine(const double* plane) const {
    return {three(plane + before), three(plane + y), three(plane + after)};
  }
};

// Interpolates to a cell's points and their neighbours. `scale` must be 1/4 if z is one coarse plane, 1/8 if
// it is the sum of two planes.
SEXTANT_INLINE Row spread(double scale, const Three& z) {
  return {2 * scale * z.west, scale * (z.west + z.own), 2 * scale * z.own, scale * (z.own + z.east)};
}
SEXTANT_INLINE Patch spread(double scale, const Nine& z) {
  return {spread(2 * scale, z.before), spread(scale, plus(z.before, z.own)), spread(2 * scale, z.own),
          spread(scale, plus(z.own, z.after))};
}
SEXTANT_INLINE Cell spread_cell(double scale, const Nine& z) {
  const Three low = plus(z.before, z.own);
  return {scale * (low.west + low.own), 2 * scale * low.own, 2 * scale * (z.own.west + z.own.own),
          4 * scale * z.own.own};
}

}  // namespace
}  // namespace sextant::npb_mg
