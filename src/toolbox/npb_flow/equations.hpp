// The discretized flow equations of the NAS benchmarks LU, SP and BT (Bailey et al., "The NAS Parallel
// Benchmarks", RNR-94-007, section 3). The unknowns are density, three momenta and energy at n points per
// axis of the unit cube.
//
// The residual at interior points is R(u) = f + S(u). Along each axis, S adds central differences of the
// convective fluxes, second differences of viscous terms and of u, and a fourth difference of u. The forcing
// f makes the residual of the exact solution zero. All functions are inlined and use scalars, so that
// compilers keep the values in registers.
#pragma once

#include <cstdint>

#ifdef _OPENACC
  #include "toolbox/openacc/ptx.hpp"
#endif

#ifdef __CUDACC__
  #define SEXTANT_FLOW __host__ __device__ __forceinline__
  #define SEXTANT_FLOW_UNROLL _Pragma("unroll")
#else
  #define SEXTANT_FLOW inline __attribute__((always_inline))
  #define SEXTANT_FLOW_UNROLL _Pragma("GCC unroll 8")
#endif

namespace sextant::npb::flow {

inline constexpr int components = 5;
inline constexpr double c1 = 1.4, c2 = 0.4, c34 = 0.1, c1c5 = 1.96, c1345 = 0.196;
inline constexpr double dissipation = 0.25;  // coefficient of the fourth-order dissipation

// The five components of a state or a flux: density, momenta, energy.
struct Five {
  double r, x, y, z, e;
};

// Memory layout of one of the five components. Rows may be padded, and the first row starts after `lead`
// elements. The size of a component is a multiple of eight elements, so that vector loads are aligned.
struct Grid {
  std::int64_t n = 0, pitch = 0, lead = 0;
  // Point 1 of each row is aligned to 64 bytes.
  static constexpr Grid aligned(std::int64_t n) { return {n, (n + 7) / 8 * 8, 7}; }
  SEXTANT_FLOW std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return lead + i + pitch * (j + n * k);
  }
  SEXTANT_FLOW std::int64_t size() const { return (lead + 7) / 8 * 8 + pitch * n * n; }
  // Returns the distance in elements between neighbouring points along an axis.
  template <int axis>
  SEXTANT_FLOW std::int64_t step() const {
    return axis == 0 ? 1 : axis == 1 ? pitch : pitch * n;
  }
};
constexpr Grid dense_grid(std::int64_t n) { return {n, n, 0}; }

SEXTANT_FLOW Five load(const double* u, std::int64_t size, std::int64_t at) {
  return {u[at], u[size + at], u[2 * size + at], u[3 * size + at], u[4 * size + at]};
}
SEXTANT_FLOW void store(double* u, std::int64_t size, std::int64_t at, const Five& value) {
  u[at] = value.r;
  u[size + at] = value.x;
  u[2 * size + at] = value.y;
  u[3 * size + at] = value.z;
  u[4 * size + at] = value.e;
}
SEXTANT_FLOW Five sum(const Five& a, const Five& b) {
  return {a.r + b.r, a.x + b.x, a.y + b.y, a.z + b.z, a.e + b.e};
}
SEXTANT_FLOW Five difference(const Five& a, const Five& b) {
  return {a.r - b.r, a.x - b.x, a.y - b.y, a.z - b.z, a.e - b.e};
}
SEXTANT_FLOW Five times(double factor, const Five& a) {
  return {factor * a.r, factor * a.x, factor * a.y, factor * a.z, factor * a.e};
}

// Returns 1/x for a positive x that is neither tiny nor huge. On GPUs this avoids the branch for tiny and
// huge values.
SEXTANT_FLOW double reciprocal(double x) {
#ifdef __CUDA_ARCH__
  double guess;  // accurate to 20 bits; a third-order step extends this to 60 bits
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
  const double error = ::fma(-x, guess, 1.0);
  return ::fma(guess, ::fma(error, error, error), guess);
#elif defined(_OPENACC)
  if (!openacc::is_ptx()) return 1.0 / x;
  const double guess = openacc::guess_of_reciprocal(x), error = __builtin_fma(-x, guess, 1.0);
  return __builtin_fma(guess, __builtin_fma(error, error, error), guess);
#else
  return 1.0 / x;
#endif
}

// Derived quantities of a state: 1/density, velocities, q = m^2/(2 density), q/density and energy/density.
struct Derived {
  double inverse, vx, vy, vz, q, kappa, e;
};
SEXTANT_FLOW Derived derived(const Five& u) {
  const double inverse = reciprocal(u.r);
  const double vx = u.x * inverse, vy = u.y * inverse, vz = u.z * inverse;
  const double q = 0.5 * (u.x * vx + u.y * vy + u.z * vz);
  return {inverse, vx, vy, vz, q, q * inverse, u.e * inverse};
}

template <int axis>
SEXTANT_FLOW double velocity(const Derived& d) {
  return axis == 0 ? d.vx : axis == 1 ? d.vy : d.vz;
}
template <int axis>
SEXTANT_FLOW double momentum(const Five& u) {
  return axis == 0 ? u.x : axis == 1 ? u.y : u.z;
}

// ---- the exact solution and the initial state ----

SEXTANT_FLOW double polynomial(double x, double y, double z, double k1, double k2, double k3, double k4,
                               double k5, double k6, double k7, double k8, double k9, double k10, double k11,
                               double k12, double k13) {
  return k1 + x * (k2 + x * (k5 + x * (k8 + x * k11))) + y * (k3 + y * (k6 + y * (k9 + y * k12))) +
         z * (k4 + z * (k7 + z * (k10 + z * k13)));
}

SEXTANT_FLOW Five exact(double x, double y, double z) {
  return {polynomial(x, y, z, 2, 0, 0, 4, 5, 3, .5, .02, .01, .03, .5, .4, .3),
          polynomial(x, y, z, 1, 0, 0, 0, 1, 2, 3, .01, .03, .02, .4, .3, .5),
          polynomial(x, y, z, 2, 2, 0, 0, 0, 2, 3, .04, .03, .05, .3, .5, .4),
          polynomial(x, y, z, 2, 2, 0, 0, 0, 2, 3, .03, .05, .04, .2, .1, .3),
          polynomial(x, y, z, 5, 4, 3, 2, .1, .4, .3, .05, .04, .03, .1, .3, .2)};
}

// Returns the exact solution at a grid point.
SEXTANT_FLOW Five exact_at(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  const double h = 1.0 / static_cast<double>(n - 1);
  return exact(static_cast<double>(i) * h, static_cast<double>(j) * h, static_cast<double>(k) * h);
}

SEXTANT_FLOW double blended(double px, double py, double pz) {
  return px + py + pz - px * py - py * pz - pz * px + px * py * pz;
}
SEXTANT_FLOW Five between(double at, const Five& low, const Five& high) {
  return sum(times(1 - at, low), times(at, high));
}

// Returns the initial state: the exact solution on the boundary, and a blend of the exact solution on the six
// faces inside.
SEXTANT_FLOW Five initial_at(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  if (i == 0 || j == 0 || k == 0 || i == n - 1 || j == n - 1 || k == n - 1) return exact_at(n, i, j, k);
  const double h = 1.0 / static_cast<double>(n - 1);
  const double x = static_cast<double>(i) * h, y = static_cast<double>(j) * h, z = static_cast<double>(k) * h;
  const Five px = between(x, exact(0, y, z), exact(1, y, z)), py = between(y, exact(x, 0, z), exact(x, 1, z)),
             pz = between(z, exact(x, y, 0), exact(x, y, 1));
  return {blended(px.r, py.r, pz.r), blended(px.x, py.x, pz.x), blended(px.y, py.y, pz.y),
          blended(px.z, py.z, pz.z), blended(px.e, py.e, pz.e)};
}

// ---- the spatial operator ----

// Coefficients of the first and second differences, which depend only on the number of points.
struct Scheme {
  double t1, t2;
  SEXTANT_FLOW explicit Scheme(std::int64_t n)
      : t1(static_cast<double>(n - 1) * static_cast<double>(n - 1)), t2(0.5 * static_cast<double>(n - 1)) {}
};
template <int axis>
// Coefficient of the second-order dissipation, for all components.
inline constexpr double diffusion = axis == 2 ? 1.0 : 0.75;

// Weights of the fourth difference at position p of a line of n points, for the points from p - 2 to p + 2.
// The weights of points outside are 0.
struct Fourth {
  double m2, m1, c, p1, p2;
};
SEXTANT_FLOW Fourth fourth(std::int64_t p, std::int64_t n) {
  return {p >= 3 ? 1.0 : 0.0, p >= 2 ? -4.0 : 0.0, p == 1 || p == n - 2 ? 5.0 : 6.0, p <= n - 3 ? -4.0 : 0.0,
          p <= n - 4 ? 1.0 : 0.0};
}

SEXTANT_FLOW double weighted(const Fourth& w, double m2, double m1, double c, double p1, double p2) {
  return w.m2 * m2 + w.m1 * m1 + w.c * c + w.p1 * p1 + w.p2 * p2;
}

// Returns the contribution of one axis to S at point c, without the fourth difference. a and b are the lower
// and the upper neighbour of c, and da, db and dc the derived quantities.
template <int axis>
SEXTANT_FLOW Five fluxes(const Scheme& s, const Five& a, const Derived& da, const Five& c, const Derived& dc,
                         const Five& b, const Derived& db) {
  const double wa = velocity<axis>(da), wb = velocity<axis>(db), wc = velocity<axis>(dc);
  const double second = diffusion<axis> * s.t1, viscous = c34 * s.t1, along = 4.0 / 3.0 * viscous;
  const double pressure = c2 * ((b.e - db.q) - (a.e - da.q));
  Five sum;
  sum.r = second * (b.r - 2 * c.r + a.r) - s.t2 * (momentum<axis>(b) - momentum<axis>(a));
  sum.x = second * (b.x - 2 * c.x + a.x) + (axis == 0 ? along : viscous) * (db.vx - 2 * dc.vx + da.vx) -
          s.t2 * (b.x * wb - a.x * wa + (axis == 0 ? pressure : 0));
  sum.y = second * (b.y - 2 * c.y + a.y) + (axis == 1 ? along : viscous) * (db.vy - 2 * dc.vy + da.vy) -
          s.t2 * (b.y * wb - a.y * wa + (axis == 1 ? pressure : 0));
  sum.z = second * (b.z - 2 * c.z + a.z) + (axis == 2 ? along : viscous) * (db.vz - 2 * dc.vz + da.vz) -
          s.t2 * (b.z * wb - a.z * wa + (axis == 2 ? pressure : 0));
  sum.e = second * (b.e - 2 * c.e + a.e) +
          viscous * ((1 - c1c5) * (db.kappa - 2 * dc.kappa + da.kappa) +
                     (1.0 / 6.0) * (wb * wb - 2 * wc * wc + wa * wa) + c1c5 * (db.e - 2 * dc.e + da.e)) -
          s.t2 * ((c1 * b.e - c2 * db.q) * wb - (c1 * a.e - c2 * da.q) * wa);
  return sum;
}

SEXTANT_FLOW Five fourth_difference(const Fourth& w, const Five& m2, const Five& m1, const Five& c,
                                    const Five& p1, const Five& p2) {
  return {weighted(w, m2.r, m1.r, c.r, p1.r, p2.r), weighted(w, m2.x, m1.x, c.x, p1.x, p2.x),
          weighted(w, m2.y, m1.y, c.y, p1.y, p2.y), weighted(w, m2.z, m1.z, c.z, p1.z, p2.z),
          weighted(w, m2.e, m1.e, c.e, p1.e, p2.e)};
}

// The stencil of the fourth difference at a point: its weights, and the offsets of the points two steps away.
// An offset is 0 if that point does not exist.
struct Reach {
  Fourth weights;
  int below, above;
};
SEXTANT_FLOW Reach reach(std::int64_t p, std::int64_t n) {
  return {fourth(p, n), p >= 3 ? -2 : 0, p <= n - 4 ? 2 : 0};
}
SEXTANT_FLOW constexpr Reach reach_inside() { return {{1, -4, 6, -4, 1}, -2, 2}; }

// Returns the contribution of one axis to S. at(step) returns the state `step` points further along the axis.
// States outside the line are never requested.
template <int axis, typename At>
SEXTANT_FLOW Five along_axis(const Scheme& s, const Reach& r, const Five& c, const Derived& dc,
                             const At& at) {
  const Five a = at(-1), b = at(1), a2 = at(r.below), b2 = at(r.above);
  return difference(fluxes<axis>(s, a, derived(a), c, dc, b, derived(b)),
                    times(dissipation, fourth_difference(r.weights, a2, a, c, b, b2)));
}
// The same for position p of a line of n points. `inside` asserts that both ends are more than two points
// away.
template <int axis, bool inside = false, typename At>
SEXTANT_FLOW Five along_axis(const Scheme& s, std::int64_t n, std::int64_t p, const Five& c,
                             const Derived& dc, const At& at) {
  return along_axis<axis>(s, inside ? reach_inside() : reach(p, n), c, dc, at);
}

// States along an axis in memory, `stride` elements apart.
struct Stored {
  const double* u;
  std::int64_t size, at, stride;
  SEXTANT_FLOW Five operator()(int step) const { return load(u, size, at + step * stride); }
};

// Returns S at an interior point. The caller computes the Reach arguments before its loop along x, so that
// the loop has no branches.
template <typename G>
SEXTANT_FLOW Five operator_at(const G& g, const double* u, std::int64_t at, const Reach& in_x,
                              const Reach& in_y, const Reach& in_z) {
  const Scheme s(g.n);
  const std::int64_t size = g.size();
  const Five c = load(u, size, at);
  const Derived dc = derived(c);
  const Five x = along_axis<0>(s, in_x, c, dc, Stored{u, size, at, g.template step<0>()}),
             y = along_axis<1>(s, in_y, c, dc, Stored{u, size, at, g.template step<1>()}),
             z = along_axis<2>(s, in_z, c, dc, Stored{u, size, at, g.template step<2>()});
  return sum(sum(x, y), z);
}
template <typename G>
SEXTANT_FLOW Five operator_at(const G& g, const double* u, std::int64_t i, std::int64_t j, std::int64_t k) {
  return operator_at(g, u, g.at(i, j, k), reach(i, g.n), reach(j, g.n), reach(k, g.n));
}

// The exact solution at points along an axis.
template <int axis>
struct Exact {
  std::int64_t n, i, j, k;
  SEXTANT_FLOW Five operator()(int step) const {
    return exact_at(n, axis == 0 ? i + step : i, axis == 1 ? j + step : j, axis == 2 ? k + step : k);
  }
};

// Returns the forcing f = -S(exact solution) at an interior point.
SEXTANT_FLOW Five forcing_at(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  const Scheme s(n);
  const Five c = exact_at(n, i, j, k);
  const Derived dc = derived(c);
  const Five x = along_axis<0>(s, n, i, c, dc, Exact<0>{n, i, j, k}),
             y = along_axis<1>(s, n, j, c, dc, Exact<1>{n, i, j, k}),
             z = along_axis<2>(s, n, k, c, dc, Exact<2>{n, i, j, k});
  return times(-1, sum(sum(x, y), z));
}

template <typename G>
SEXTANT_FLOW Five residual_at(const G& g, const double* u, const double* f, std::int64_t i, std::int64_t j,
                              std::int64_t k) {
  return sum(load(f, g.size(), g.at(i, j, k)), operator_at(g, u, i, j, k));
}

}  // namespace sextant::npb::flow
