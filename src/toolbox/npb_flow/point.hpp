// Derived quantities of grid points for implicit schemes, as scalars or as vectors over points.
#pragma once

#include "toolbox/npb_flow/equations.hpp"

namespace sextant::npb::flow {

SEXTANT_FLOW double inverse_of(double x) { return reciprocal(x); }
template <typename V>
SEXTANT_FLOW V inverse_of(const V& x) {
  return 1.0 / x;
}

// 1/density, the three velocities, q/density and energy/density, where q = m^2 / (2 density) and m is the
// momentum.
template <typename V>
struct Point {
  V inverse, v[3], kappa, e;
};
template <typename V>
SEXTANT_FLOW Point<V> point_of(const V (&u)[components]) {
  const V inverse = inverse_of(u[0]);
  const V vx = u[1] * inverse, vy = u[2] * inverse, vz = u[3] * inverse;
  return {inverse, {vx, vy, vz}, 0.5 * (vx * vx + vy * vy + vz * vz), u[4] * inverse};
}

SEXTANT_FLOW constexpr double viscosity(int axis, int e) { return (e == axis ? 4.0 / 3.0 : 1.0) * c34; }

SEXTANT_FLOW Point<double> stored_point(const double* u, std::int64_t size, std::int64_t at) {
  const double w[components] = {u[at], u[size + at], u[2 * size + at], u[3 * size + at], u[4 * size + at]};
  return point_of<double>(w);
}

}  // namespace sextant::npb::flow
