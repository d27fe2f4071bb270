// Solves NAS BT's block tridiagonal systems along a grid line, on the host and on GPUs. The 5 x 5 blocks are
// computed from the flow state when they are needed. Loops over a block's rows and columns are unrolled, so
// that the block stays in registers.
#pragma once

#include "toolbox/npb_flow/point.hpp"

namespace sextant::npb_bt {

using namespace npb::flow;

template <typename V>
using Block = V[components][components];
template <typename V>
using Vector = V[components];

// Parameters of the system along one line: number of points, and weights of the first and second differences.
struct Line {
  std::int64_t n;
  double first, second;
  SEXTANT_FLOW Line(std::int64_t n_, double dt)
      : n(n_), first(dt * Scheme(n_).t2), second(dt * Scheme(n_).t1) {}
};

// Returns true if an off-diagonal block can have a nonzero at (row, column).
SEXTANT_FLOW constexpr bool is_entry(int axis, int row, int column) {
  const int along = 1 + axis;
  return row == along || row == 4 || column == 0 || column == along || (row > 0 && row == column);
}

// Nonzeros of the viscous part of a block: density column, diagonal and energy row.
template <typename V>
struct Viscous {
  V column[3], diagonal[3], row[3], energy, energies;
};
template <int axis, typename V>
SEXTANT_FLOW Viscous<V> viscous_of(double factor, const Point<V>& s) {
  Viscous<V> n;
  V energy = c1345 * s.e;
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) {
    const double k = factor * viscosity(axis, e), rest = factor * (viscosity(axis, e) - c1345);
    n.diagonal[e] = k * s.inverse;
    n.column[e] = -(n.diagonal[e] * s.v[e]);
    n.row[e] = rest * s.inverse * s.v[e];
    energy = energy + (viscosity(axis, e) - c1345) * s.v[e] * s.v[e];
  }
  n.energy = -(factor * s.inverse * energy);
  n.energies = factor * c1345 * s.inverse;
  return n;
}

// Computes an off-diagonal block from the state s of the previous (sign -1) or next (sign +1) point.
template <int axis, int sign, typename V>
SEXTANT_FLOW void side_block(const Line& line, const Point<V>& s, Block<V>& m) {
  constexpr int along = 1 + axis;
  const double first = sign * line.first, spread = -line.second * npb::flow::diffusion<axis>;
  const Viscous<V> n = viscous_of<axis>(-line.second, s);
  const V w = s.v[axis];
  m[0][0] = spread + 0.0 * w;
  m[0][along] = first + 0.0 * w;
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) {
    const int row = 1 + e;
    if (e == axis) {
      m[row][0] = first * (c2 * s.kappa - w * w) + n.column[e];
      SEXTANT_FLOW_UNROLL
      for (int g = 0; g < 3; ++g)
        m[row][1 + g] = g == axis ? first * (2 - c2) * w + n.diagonal[e] + spread : -first * c2 * s.v[g];
      m[row][4] = first * c2 + 0.0 * w;
    } else {
      m[row][0] = n.column[e] - first * s.v[e] * w;
      m[row][along] = first * s.v[e];
      m[row][row] = first * w + n.diagonal[e] + spread;
    }
  }
  m[4][0] = first * (2 * c2 * s.kappa - c1 * s.e) * w + n.energy;
  SEXTANT_FLOW_UNROLL
  for (int g = 0; g < 3; ++g)
    m[4][1 + g] =
        n.row[g] + (g == axis ? first * (c1 * s.e - c2 * (s.kappa + w * w)) : -first * c2 * s.v[g] * w);
  m[4][4] = first * c1 * w + n.energies + spread;
}

// Computes the diagonal block of the point with state s, including the block's zeros.
template <int axis, typename V>
SEXTANT_FLOW void own_block(const Line& line, const Point<V>& s, Block<V>& m) {
  const double one = 1 + 2 * line.second * npb::flow::diffusion<axis>;
  const Viscous<V> n = viscous_of<axis>(2 * line.second, s);
  const V zero = 0.0 * s.inverse;
  SEXTANT_FLOW_UNROLL
  for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
  for (int column = 0; column < components; ++column) m[row][column] = row == column ? one + zero : zero;
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) {
    m[1 + e][0] = n.column[e];
    m[1 + e][1 + e] = one + n.diagonal[e];
    m[4][1 + e] = n.row[e];
  }
  m[4][0] = n.energy;
  m[4][4] = one + n.energies;
}

// Eliminates the lower block of a row: own -= below * above and right -= below * before. `above` and `before`
// are the upper block and the right-hand side of the previous row.
template <int axis, typename V>
SEXTANT_FLOW void subtract_before(const Block<V>& below, const Block<V>& above, const Vector<V>& before,
                                  Block<V>& own, Vector<V>& right) {
  SEXTANT_FLOW_UNROLL
  for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
  for (int inner = 0; inner < components; ++inner)
    if (is_entry(axis, row, inner)) {
      SEXTANT_FLOW_UNROLL
      for (int column = 0; column < components; ++column)
        own[row][column] = own[row][column] - below[row][inner] * above[inner][column];
      right[row] = right[row] - below[row][inner] * before[inner];
    }
}

// Gauss-Jordan elimination without pivoting: multiplies `above` and `right` by the inverse of `own`.
// Overwrites `own`.
template <typename V>
SEXTANT_FLOW void solve_block(Block<V>& own, Block<V>& above, Vector<V>& right) {
  SEXTANT_FLOW_UNROLL
  for (int pivot = 0; pivot < components; ++pivot) {
    const V inverse = inverse_of(own[pivot][pivot]);
    SEXTANT_FLOW_UNROLL
    for (int column = 0; column < components; ++column) {
      if (column > pivot) own[pivot][column] = own[pivot][column] * inverse;
      above[pivot][column] = above[pivot][column] * inverse;
    }
    right[pivot] = right[pivot] * inverse;
    SEXTANT_FLOW_UNROLL
    for (int row = 0; row < components; ++row)
      if (row != pivot) {
        const V factor = own[row][pivot];
        SEXTANT_FLOW_UNROLL
        for (int column = 0; column < components; ++column) {
          if (column > pivot) own[row][column] = own[row][column] - factor * own[pivot][column];
          above[row][column] = above[row][column] - factor * above[pivot][column];
        }
        right[row] = right[row] - factor * right[pivot];
      }
  }
}

template <typename V>
SEXTANT_FLOW void clear_unset(int axis, Block<V>& m, const V& zero) {
  SEXTANT_FLOW_UNROLL
  for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
  for (int column = 0; column < components; ++column)
    if (!is_entry(axis, row, column)) m[row][column] = zero;
}

// Values that forward elimination passes from one point of a line to the next.
template <typename V>
struct Carried {
  Block<V> above;   // upper off-diagonal block of the previous point, after elimination
  Vector<V> right;  // right-hand side of the previous point, after elimination
  Point<V> before, here;
};

// Eliminates row p. `next` is the flow state at p + 1; `right` is the right-hand side of row p.
template <int axis, typename V>
SEXTANT_FLOW void eliminate_row(const Line& line, bool first, bool last, const Point<V>& next,
                                Vector<V>& right, Carried<V>& carried) {
  Block<V> own;
  own_block<axis>(line, carried.here, own);
  if (!first) {
    Block<V> below;
    side_block<axis, -1>(line, carried.before, below);
    subtract_before<axis>(below, carried.above, carried.right, own, right);
  }
  const V zero = 0.0 * next.inverse;
  if (last) {
    SEXTANT_FLOW_UNROLL
    for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
    for (int column = 0; column < components; ++column) carried.above[row][column] = zero;
  } else {
    side_block<axis, 1>(line, next, carried.above);
    clear_unset(axis, carried.above, zero);
  }
  solve_block(own, carried.above, right);
  SEXTANT_FLOW_UNROLL
  for (int row = 0; row < components; ++row) carried.right[row] = right[row];
  carried.before = carried.here;
  carried.here = next;
}

template <typename V>
SEXTANT_FLOW void substitute(const Block<V>& above, const Vector<V>& after, Vector<V>& right) {
  SEXTANT_FLOW_UNROLL
  for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
  for (int column = 0; column < components; ++column)
    right[row] = right[row] - above[row][column] * after[column];
}

// ---- one thread solves one line in memory ----

// Scratch arrays of the elimination with one element per point: 25 for the elements of a block and 5 for the
// right-hand side.
inline constexpr int scratch_arrays = components * components + components;
struct Scratch {
  double* data;  // address of the elements of point 0
  std::int64_t size, step;
};

// Accesses a line's flow states and right-hand sides in place. `put` stores the solution as the new
// right-hand side; along the last axis it adds the solution to the state.
template <int axis>
struct InMemory {
  std::int64_t size, at, step;  // distance between components; offset of point 0; distance between points
  double *u, *b;
  SEXTANT_FLOW Point<double> state(std::int64_t p) const { return stored_point(u, size, at + p * step); }
  SEXTANT_FLOW void get(std::int64_t p, double (&right)[components]) const {
    SEXTANT_FLOW_UNROLL
    for (int m = 0; m < components; ++m) right[m] = b[m * size + at + p * step];
  }
  SEXTANT_FLOW void put(std::int64_t p, const double (&x)[components]) const {
    SEXTANT_FLOW_UNROLL
    for (int m = 0; m < components; ++m) {
      if (axis == 2)
        u[m * size + at + p * step] += x[m];
      else
        b[m * size + at + p * step] = x[m];
    }
  }
  SEXTANT_FLOW void begin_forward(std::int64_t) const {}
  SEXTANT_FLOW void begin_back(std::int64_t) const {}
};

// Solves one line. Calls access.begin_forward before it uses a point in the forward pass. Calls
// access.begin_back after it has stored a point in the backward pass.
template <int axis, typename Access>
SEXTANT_FLOW void solve_stored(const Line& line, const Scratch& scratch, Access access) {
  Carried<double> carried = {};
  carried.here = access.state(1);
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    access.begin_forward(p);
    const bool last = p == line.n - 2;
    const Point<double> next = access.state(p + 1);
    double right[components];
    access.get(p, right);
    eliminate_row<axis>(line, p == 1, last, next, right, carried);
    double* const left = scratch.data + p * scratch.step;
    SEXTANT_FLOW_UNROLL
    for (int m = 0; m < components; ++m) left[(components * components + m) * scratch.size] = right[m];
    if (!last) {
      SEXTANT_FLOW_UNROLL
      for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
      for (int column = 0; column < components; ++column)
        left[(components * row + column) * scratch.size] = carried.above[row][column];
    }
  }
  double after[components] = {};
  for (std::int64_t p = line.n - 2; p >= 1; --p) {
    const double* const left = scratch.data + p * scratch.step;
    double right[components];
    SEXTANT_FLOW_UNROLL
    for (int m = 0; m < components; ++m) right[m] = left[(components * components + m) * scratch.size];
    if (p < line.n - 2) {
      double above[components][components];
      SEXTANT_FLOW_UNROLL
      for (int row = 0; row < components; ++row) SEXTANT_FLOW_UNROLL
      for (int column = 0; column < components; ++column)
        above[row][column] = left[(components * row + column) * scratch.size];
      substitute<double>(above, after, right);
    }
    SEXTANT_FLOW_UNROLL
    for (int m = 0; m < components; ++m) after[m] = right[m];
    access.put(p, right);
    access.begin_back(p);
  }
}

}  // namespace sextant::npb_bt
