// Operations of NAS LU's sweeps at one point. They multiply 5 x 5 blocks by vectors without storing the
// blocks. The diagonal block has an arrow shape (a column, the diagonal, a row), so it needs no elimination.
// A point with a new v computes the products that its three successors need. No point therefore reads another
// point's flow state.
#pragma once

#include "problem.hpp"
#include "toolbox/npb_flow/point.hpp"

namespace sextant::npb_lu {

template <typename V>
using Vector = V[components];

// Weights of a time step: for first and second differences, for the diagonal block, and for adding v to the
// flow state.
struct Weights {
  double first, second, inverse_one, one, momentum, coupling, energy;
  SEXTANT_FLOW Weights(std::int64_t n, double dt)
      : first(dt * Scheme(n).t2),
        second(dt * Scheme(n).t1),
        inverse_one(1 / (1 + 5 * second)),
        one(1 + 5 * second),
        momentum(second * (20.0 / 3.0) * c34),
        coupling(second * ((20.0 / 3.0) * c34 - 6 * c1345)),
        energy(6 * second * c1345) {}
};
inline constexpr double step_factor = 1 / (omega * (2 - omega));

// Multiplies y by an off-diagonal block of the point with state s along `axis`. With sign -1 it is block L,
// for the contribution to the next point; with sign +1 block U, for the previous point.
template <int axis, int sign, typename V>
SEXTANT_FLOW void product(const Weights& w, const Point<V>& s, const V (&y)[components],
                          V (&to)[components]) {
  const double first = sign * w.first, second = w.second;
  constexpr double spread = diffusion<axis>;
  const V along = y[1 + axis], speed = s.v[axis];
  const V mixed = s.v[0] * y[1] + s.v[1] * y[2] + s.v[2] * y[3];
  const V carried = along - speed * y[0];
  V heat = c1345 * s.inverse * (y[4] - s.e * y[0]);
  to[0] = first * along - second * spread * y[0];
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) {
    const V change = (y[1 + e] - s.v[e] * y[0]) * s.inverse;
    const V flux = e == axis ? speed * (along + carried) + c2 * (s.kappa * y[0] - mixed + y[4])
                             : s.v[e] * carried + speed * y[1 + e];
    to[1 + e] = first * flux - second * (viscosity(axis, e) * change + spread * y[1 + e]);
    heat = heat + (viscosity(axis, e) - c1345) * s.v[e] * change;
  }
  const V flux = speed * ((2 * c2 * s.kappa - c1 * s.e) * y[0] - c2 * mixed + c1 * y[4]) +
                 along * (c1 * s.e - c2 * s.kappa);
  to[4] = first * flux - second * (heat + spread * y[4]);
}

// Inverse of the diagonal block of one point. It depends only on the point's flow state.
template <typename V>
struct Own {
  V column[3], momentum, row[3], density, energy;
};
template <typename V>
SEXTANT_FLOW Own<V> own_of(const Weights& w, const Point<V>& s) {
  const V a = w.momentum * s.inverse, b = w.coupling * s.inverse, g = w.energy * s.inverse;
  Own<V> own;
  own.momentum = inverse_of(w.one + a);
  own.energy = inverse_of(w.one + g);
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) {
    own.column[e] = a * s.v[e];
    own.row[e] = b * s.v[e];
  }
  own.density = 2 * b * s.kappa + g * s.e;
  return own;
}

// Replaces x by D^-1 x, where D is the diagonal block.
template <typename V>
SEXTANT_FLOW void solve(const Weights& w, const Own<V>& own, V (&x)[components]) {
  x[0] = w.inverse_one * x[0];
  V energy = x[4] + own.density * x[0];
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) {
    x[1 + e] = (x[1 + e] + own.column[e] * x[0]) * own.momentum;
    energy = energy - own.row[e] * x[1 + e];
  }
  x[4] = energy * own.energy;
}

// Computes a point's v. `sum` must be the sum of the products from its three predecessors.
template <bool upper, typename V>
SEXTANT_FLOW void relax(const Weights& w, const Own<V>& own, const V (&sum)[components], V (&v)[components]) {
  V x[components];
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m) x[m] = upper ? omega * sum[m] : v[m] - omega * sum[m];
  solve(w, own, x);
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m) v[m] = upper ? v[m] - x[m] : x[m];
}

// ---- the pressure integral of the verification ----

SEXTANT_FLOW double pressure(const double* u, std::int64_t size, std::int64_t at) {
  const Five w = load(u, size, at);
  return c2 * (w.e - (w.x * w.x + w.y * w.y + w.z * w.z) / (2 * w.r));
}

// Returns one row of the pressure integral over the faces, by the trapezoidal rule. The row is `row` % n on
// both faces across axis `row` / n, including the weights along and across the row. The faces are those that
// NPB uses, which differ between axes.
template <typename G>
SEXTANT_FLOW double integral_row(const G& g, const double* u, std::int64_t row) {
  const std::int64_t axis = row / g.n, q = row % g.n;
  const std::int64_t low[3] = {1, 1, 2}, high[3] = {g.n - 2, g.n - 3, g.n - 2};
  const std::int64_t across = axis == 0 ? 2 : axis == 1 ? 0 : 1;  // the axis that q indexes
  const std::int64_t along = axis == 0 ? 1 : axis == 1 ? 2 : 0;
  const std::int64_t q_low = across == 0 ? 1 : across == 1 ? 1 : 2, q_high = across == 1 ? g.n - 3 : g.n - 2;
  if (q < q_low || q > q_high) return 0;
  double sum = 0;
  for (std::int64_t p = low[along]; p <= high[along]; ++p) {
    const double weight = p == low[along] || p == high[along] ? 1 : 2;
    for (int side = 0; side < 2; ++side) {
      const std::int64_t face = side == 0 ? low[axis] : high[axis];
      const std::int64_t at = axis == 0 ? g.at(face, p, q) : axis == 1 ? g.at(q, face, p) : g.at(p, q, face);
      sum += weight * pressure(u, g.size(), at);
    }
  }
  return (q == q_low || q == q_high ? 1 : 2) * sum;
}
SEXTANT_FLOW double integral_factor(std::int64_t n) {
  const auto cells = static_cast<double>(n - 1);
  return 0.25 / (cells * cells);
}

}  // namespace sextant::npb_lu
