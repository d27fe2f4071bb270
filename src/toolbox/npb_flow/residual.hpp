// The residual on the host, vectorized over the points of a row. Each neighbour's contribution depends only
// on that neighbour's state, so nothing is computed twice.
#pragma once

#include <cstring>

#include "toolbox/npb_flow/host.hpp"
#include "toolbox/npb_flow/packed.hpp"
#include "toolbox/npb_flow/point.hpp"

namespace sextant::npb::flow {
namespace {

// Returns the combined weights of the second and fourth differences along an axis, for the points p - 2 to p
// + 2.
template <int axis>
SEXTANT_FLOW Fourth difference_weights(const Scheme& s, const Fourth& w) {
  const double second = diffusion<axis> * s.t1;
  return {-dissipation * w.m2, second - dissipation * w.m1, -2 * second - dissipation * w.c,
          second - dissipation * w.p1, -dissipation * w.p2};
}

// The combined weights along x for each point of a vector.
template <typename V>
struct RowWeights {
  V m2, m1, c, p1, p2;
};
template <typename V>
SEXTANT_FLOW RowWeights<V> weights_inside(const Scheme& s) {
  const Fourth w = difference_weights<0>(s, reach_inside().weights);
  return {w.m2 + V{}, w.m1 + V{}, w.c + V{}, w.p1 + V{}, w.p2 + V{}};
}
template <typename V>
RowWeights<V> weights_from(const Scheme& s, std::int64_t first, std::int64_t n) {
  RowWeights<V> all;
  for (int l = 0; l < static_cast<int>(sizeof(V) / sizeof(double)); ++l) {
    const Fourth w = difference_weights<0>(s, fourth(first + l, n));
    all.m2[l] = w.m2, all.m1[l] = w.m1, all.c[l] = w.c, all.p1[l] = w.p1, all.p2[l] = w.p2;
  }
  return all;
}

// Loads the states at the points of a vector.
struct States {
  const double* u;
  std::int64_t size, at;
  template <typename V>
  SEXTANT_FLOW void load(std::int64_t offset, V (&state)[components]) const {
    SEXTANT_FLOW_UNROLL
    for (int m = 0; m < components; ++m) std::memcpy(&state[m], u + m * size + at + offset, sizeof(V));
  }
};

template <typename V, typename Weight>
SEXTANT_FLOW void add_times(V (&sum)[components], const Weight& weight, const V (&state)[components]) {
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < components; ++m) sum[m] = sum[m] + weight * state[m];
}

// Adds the contribution of neighbours with the states `a`. `first` is the weight of the first difference,
// which is negative for lower neighbours.
template <int axis, typename V, typename Weight>
SEXTANT_FLOW void add_neighbours(V (&sum)[components], const Weight& weight, double first, double viscous,
                                 const V (&a)[components]) {
  const Point<V> p = point_of(a);
  const V w = p.v[axis], carried = weight - first * w, q = a[0] * p.kappa;
  sum[0] = sum[0] + weight * a[0] - first * a[1 + axis];
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e)
    sum[1 + e] = sum[1 + e] + carried * a[1 + e] + viscous * (e == axis ? 4.0 / 3.0 : 1.0) * p.v[e];
  sum[1 + axis] = sum[1 + axis] - first * c2 * (a[4] - q);
  const V heat = viscous * (1 - c1c5) * p.kappa + viscous / 6 * (w * w) + viscous * c1c5 * p.e;
  sum[4] = sum[4] + weight * a[4] - first * w * (c1 * a[4] - c2 * q) + heat;
}
template <int axis, typename V, typename Weights>
SEXTANT_FLOW void add_axis(V (&sum)[components], const Scheme& s, const Weights& w, const Reach& reach,
                           const States& states, std::int64_t step) {
  const double viscous = c34 * s.t1;
  V a[components];
  states.load(-step, a);
  add_neighbours<axis>(sum, w.m1, -s.t2, viscous, a);
  states.load(step, a);
  add_neighbours<axis>(sum, w.p1, s.t2, viscous, a);
  states.load(reach.below * step, a);
  add_times(sum, w.m2, a);
  states.load(reach.above * step, a);
  add_times(sum, w.p2, a);
}
// Adds the points' own contribution to the differences along all axes.
template <typename V>
SEXTANT_FLOW void add_centre(V (&sum)[components], const V& weight, const Scheme& s,
                             const V (&c)[components]) {
  const Point<V> p = point_of(c);
  const double twice = 2 * c34 * s.t1, momenta = (4.0 / 3.0 + 2) * twice;
  add_times(sum, weight, c);
  SEXTANT_FLOW_UNROLL
  for (int e = 0; e < 3; ++e) sum[1 + e] = sum[1 + e] - momenta * p.v[e];
  sum[4] = sum[4] - (twice * (3 * (1 - c1c5) + 1.0 / 3.0) * p.kappa + twice * 3 * c1c5 * p.e);
}

// Computes b = factor * R(u) in a row of interior points. The last two vectors may overlap. Neighbours beyond
// the ends of the row have weight 0; the memory there must hold finite numbers.
inline void residual_in_vectors(const Grid& g, double factor, const double* u, const double* f,
                                std::int64_t j, std::int64_t k, double* b) {
  using V = Packed<wide>;
  const std::int64_t size = g.size(), n = g.n, row = g.at(0, j, k), last = n - 1 - wide;
  if (last < 1) return residual_row(g, factor, u, f, j, k, b);
  const Scheme s(n);
  const Reach in_x = reach_inside(), in_y = reach(j, n), in_z = reach(k, n);
  const Fourth y = difference_weights<1>(s, in_y.weights), z = difference_weights<2>(s, in_z.weights);
  for (std::int64_t first = 1; first < n - 1; first += wide) {
    const std::int64_t start = std::min(first, last);
    const bool inside = start >= 3 && start + wide <= n - 3;
    const RowWeights<V> x = inside ? weights_inside<V>(s) : weights_from<V>(s, start, n);
    const States states = {u, size, row + start};
    V sum[components], c[components];
    States{f, size, row + start}.load(0, sum);
    states.load(0, c);
    add_centre(sum, x.c + (y.c + z.c), s, c);
    add_axis<0>(sum, s, x, in_x, states, g.template step<0>());
    add_axis<1>(sum, s, y, in_y, states, g.template step<1>());
    add_axis<2>(sum, s, z, in_z, states, g.template step<2>());
    for (int m = 0; m < components; ++m) {
      const V value = factor * sum[m];
      std::memcpy(b + m * size + row + start, &value, sizeof value);
    }
  }
}

}  // namespace
}  // namespace sextant::npb::flow
