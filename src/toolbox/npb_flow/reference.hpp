// Reference implementation of the flow equations in long double, directly from their definition. It shares
// only constants with the variants.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb::flow {

using Long = long double;
using LongState = std::array<Long, components>;

struct LongField {
  std::int64_t n;
  std::vector<LongState> points;

  explicit LongField(std::int64_t n_) : n(n_), points(static_cast<std::size_t>(n_ * n_ * n_)) {}
  LongState& operator()(const std::array<std::int64_t, 3>& at) {
    return points[static_cast<std::size_t>(at[0] + n * (at[1] + n * at[2]))];
  }
  const LongState& operator()(const std::array<std::int64_t, 3>& at) const {
    return points[static_cast<std::size_t>(at[0] + n * (at[1] + n * at[2]))];
  }
};

// Calls body(at) at every interior point, in parallel.
template <typename Body>
void at_interior_points(std::int64_t n, const Body& body) {
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 1; k < n - 1; ++k)
    for (std::int64_t j = 1; j < n - 1; ++j)
      for (std::int64_t i = 1; i < n - 1; ++i) body(std::array<std::int64_t, 3>{i, j, k});
}

inline constexpr Long solution_table[components][13] = {
    {2, 0, 0, 4, 5, 3, .5L, .02L, .01L, .03L, .5L, .4L, .3L},
    {1, 0, 0, 0, 1, 2, 3, .01L, .03L, .02L, .4L, .3L, .5L},
    {2, 2, 0, 0, 0, 2, 3, .04L, .03L, .05L, .3L, .5L, .4L},
    {2, 2, 0, 0, 0, 2, 3, .03L, .05L, .04L, .2L, .1L, .3L},
    {5, 4, 3, 2, .1L, .4L, .3L, .05L, .04L, .03L, .1L, .3L, .2L}};

// Returns the exact solution, a polynomial in x, y and z. The table has one column per power.
inline LongState long_exact(const std::array<Long, 3>& x) {
  LongState u;
  for (std::size_t m = 0; m < components; ++m) {
    u[m] = solution_table[m][0];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Long power = 1;
      for (std::size_t degree = 0; degree < 4; ++degree)
        u[m] += (power *= x[axis]) * solution_table[m][1 + 3 * degree + axis];
    }
  }
  return u;
}

inline std::array<Long, 3> place_of(std::int64_t n, const std::array<std::int64_t, 3>& at) {
  const Long h = 1 / static_cast<Long>(n - 1);
  return {h * static_cast<Long>(at[0]), h * static_cast<Long>(at[1]), h * static_cast<Long>(at[2])};
}

inline LongField long_solution(std::int64_t n) {
  LongField u(n);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) u({i, j, k}) = long_exact(place_of(n, {i, j, k}));
  return u;
}

// Returns the initial state. On the boundary it is the exact solution. Inside, it is 1 minus the product of
// (1 - P) over the three axes. P interpolates linearly between the two faces of an axis.
inline LongField long_start(std::int64_t n) {
  LongField u = long_solution(n);
  at_interior_points(n, [&](const std::array<std::int64_t, 3>& at) {
    const std::array<Long, 3> x = place_of(n, at);
    LongState left;
    left.fill(1);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<Long, 3> low = x, high = x;
      low[axis] = 0, high[axis] = 1;
      const LongState a = long_exact(low), b = long_exact(high);
      for (std::size_t m = 0; m < components; ++m) left[m] *= 1 - ((1 - x[axis]) * a[m] + x[axis] * b[m]);
    }
    for (std::size_t m = 0; m < components; ++m) u(at)[m] = 1 - left[m];
  });
  return u;
}

inline Long long_q(const LongState& w) { return (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / (2 * w[0]); }

inline LongState long_flux(const LongState& w, std::size_t axis) {
  const Long velocity = w[1 + axis] / w[0], q = long_q(w);
  LongState flux;
  for (std::size_t m = 0; m < components; ++m) flux[m] = velocity * w[m];
  flux[1 + axis] += 0.4L * (w[4] - q);
  flux[4] = (1.4L * w[4] - 0.4L * q) * velocity;
  return flux;
}

// Returns the weighted terms whose second differences are the viscous contribution to the residual.
inline LongState long_viscous(const LongState& w, std::size_t axis) {
  const Long kappa = long_q(w) / w[0], velocity = w[1 + axis] / w[0];
  LongState terms = {0, w[1] / w[0], w[2] / w[0], w[3] / w[0], 0};
  terms[1 + axis] *= 4 / 3.0L;
  terms[4] = (1 - 1.96L) * kappa + velocity * velocity / 6 + 1.96L * w[4] / w[0];
  return terms;
}

using LongBlock = std::array<LongState, components>;

// Returns the Jacobian matrix of the flux along `axis`.
inline LongBlock long_convection(const LongState& u, std::size_t axis) {
  const Long w = u[1 + axis] / u[0], q = long_q(u), e = u[4] / u[0], kappa = q / u[0];
  LongBlock j = {};
  j[0][1 + axis] = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const Long v = u[1 + d] / u[0];
    j[1 + d][0] = -v * w;
    j[1 + d][1 + axis] += v;
    j[1 + d][1 + d] += w;
  }
  j[1 + axis][0] += 0.4L * kappa;
  for (std::size_t d = 0; d < 3; ++d) j[1 + axis][1 + d] -= 0.4L * u[1 + d] / u[0];
  j[1 + axis][4] = 0.4L;
  j[4][0] = (0.8L * q - 1.4L * u[4]) * w / u[0];
  for (std::size_t d = 0; d < 3; ++d) j[4][1 + d] = -0.4L * u[1 + d] / u[0] * w;
  j[4][1 + axis] += 1.4L * e - 0.4L * kappa;
  j[4][4] = 1.4L * w;
  return j;
}

// Returns the Jacobian matrix of the viscous terms, without the weights of the differences.
inline LongBlock long_viscosity(const LongState& u, std::size_t axis) {
  const Long inverse = 1 / u[0];
  LongBlock n = {};
  n[4][0] = -0.196L * u[4] * inverse * inverse;
  n[4][4] = 0.196L * inverse;
  for (std::size_t e = 0; e < 3; ++e) {
    const Long v = u[1 + e] * inverse, k = 0.1L * (e == axis ? 4 / 3.0L : 1.0L);
    n[1 + e][0] = -k * v * inverse;
    n[1 + e][1 + e] = k * inverse;
    n[4][0] -= (k - 0.196L) * v * v * inverse;
    n[4][1 + e] = (k - 0.196L) * v * inverse;
  }
  return n;
}

// Returns S(u) (see equations.hpp) at one interior point.
inline LongState long_operator(const LongField& u, const std::array<std::int64_t, 3>& at) {
  const std::int64_t n = u.n;
  const Long t1 = static_cast<Long>(n - 1) * static_cast<Long>(n - 1), t2 = static_cast<Long>(n - 1) / 2;
  LongState sum = {};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto near = [&](std::int64_t step) -> const LongState& {
      std::array<std::int64_t, 3> there = at;
      there[axis] += step;
      return u(there);
    };
    const std::int64_t p = at[axis];
    const LongState &a = near(-1), &c = near(0), &b = near(1);
    const LongState fa = long_flux(a, axis), fb = long_flux(b, axis);
    const LongState va = long_viscous(a, axis), vc = long_viscous(c, axis), vb = long_viscous(b, axis);
    for (std::size_t m = 0; m < components; ++m) {
      Long fourth_order = (p == 1 || p == n - 2 ? 5 : 6) * c[m];
      if (p > 1) fourth_order -= 4 * a[m];
      if (p < n - 2) fourth_order -= 4 * b[m];
      if (p > 2) fourth_order += near(-2)[m];
      if (p < n - 3) fourth_order += near(2)[m];
      sum[m] += -t2 * (fb[m] - fa[m]) + (axis == 2 ? 1.0L : 0.75L) * t1 * (b[m] - 2 * c[m] + a[m]) +
                0.1L * t1 * (vb[m] - 2 * vc[m] + va[m]) - 0.25L * fourth_order;
    }
  }
  return sum;
}

inline LongField long_forcing(std::int64_t n) {
  const LongField u = long_solution(n);
  LongField f(n);
  at_interior_points(n, [&](const std::array<std::int64_t, 3>& at) {
    const LongState s = long_operator(u, at);
    for (std::size_t m = 0; m < components; ++m) f(at)[m] = -s[m];
  });
  return f;
}

// Returns factor * (f + S(u)) at interior points and 0 on the boundary.
inline LongField long_residual(const LongField& u, const LongField& f, Long factor) {
  LongField r(u.n);
  at_interior_points(u.n, [&](const std::array<std::int64_t, 3>& at) {
    const LongState s = long_operator(u, at);
    for (std::size_t m = 0; m < components; ++m) r(at)[m] = factor * (f(at)[m] + s[m]);
  });
  return r;
}

inline LongState long_norms(const LongField& w) {
  LongState sums = {};
  for (std::int64_t k = 1; k < w.n - 1; ++k)
    for (std::int64_t j = 1; j < w.n - 1; ++j)
      for (std::int64_t i = 1; i < w.n - 1; ++i)
        for (std::size_t m = 0; m < components; ++m) sums[m] += w({i, j, k})[m] * w({i, j, k})[m];
  const auto side = static_cast<Long>(w.n - 2);
  for (Long& sum : sums) sum = std::sqrt(sum / (side * side * side));
  return sums;
}

inline LongState long_error_norms(const LongField& u) {
  LongField difference = long_solution(u.n);
  for (std::size_t p = 0; p < u.points.size(); ++p)
    for (std::size_t m = 0; m < components; ++m) difference.points[p][m] -= u.points[p][m];
  return long_norms(difference);
}

// Writes the norms and, unless field_out is null, the state, in the layout of the kernels' arrays.
inline void put_results(const LongField& u, const LongField& f, double* norms_out, double* field_out) {
  const LongState residuals = long_norms(long_residual(u, f, 1)), errors = long_error_norms(u);
  for (std::size_t m = 0; m < components; ++m) {
    norms_out[m] = static_cast<double>(residuals[m]);
    norms_out[components + m] = static_cast<double>(errors[m]);
  }
  const std::size_t count = u.points.size();
  for (std::size_t p = 0; field_out && p < count; ++p)
    for (std::size_t m = 0; m < components; ++m)
      field_out[m * count + p] = static_cast<double>(u.points[p][m]);
}

}  // namespace sextant::npb::flow
