// NAS SP's pentadiagonal systems along a line, and the transforms of variables between axes, on host and GPU.
#pragma once

#include <cmath>

#include "toolbox/npb_flow/point.hpp"

namespace sextant::npb_sp {

using namespace npb::flow;

inline constexpr double half_root = 0.70710678118654752440;  // sqrt(1/2)

SEXTANT_FLOW double root_of(double x) {
#ifdef __CUDA_ARCH__
  return ::sqrt(x);
#else
  return std::sqrt(x);
#endif
}

SEXTANT_FLOW double sound_speed(const Five& u, const Derived& d) {
  return root_of(c1 * c2 * (u.e - d.q) * d.inverse);
}

// Transforms b to the characteristic variables of x, for the lines along x.
SEXTANT_FLOW Five to_characteristics(const Derived& d, double c, const Five& b) {
  const double t1 = c2 * reciprocal(c * c) * (d.kappa * b.r - d.vx * b.x - d.vy * b.y - d.vz * b.z + b.e);
  const double t2 = half_root * d.inverse * (d.vx * b.r - b.x), t3 = half_root * d.inverse * c * t1;
  return {b.r - t1, -d.inverse * (d.vz * b.r - b.z), d.inverse * (d.vy * b.r - b.y), t3 - t2, t2 + t3};
}

// Transforms b from the characteristic variables of x to those of y. y_to_z does the same from y to z.
SEXTANT_FLOW Five x_to_y(const Five& b) {
  const double t1 = half_root * b.y, t2 = 0.5 * (b.z + b.e);
  return {-b.x, b.r, half_root * (b.z - b.e), t2 - t1, t1 + t2};
}
SEXTANT_FLOW Five y_to_z(const Five& b) {
  const double t1 = half_root * b.r, t2 = 0.5 * (b.z + b.e);
  return {half_root * (b.z - b.e), -b.y, b.x, t2 - t1, t1 + t2};
}

// Transforms the solution of the lines along z to a change of the flow state u.
SEXTANT_FLOW Five to_conserved(const Five& u, const Derived& d, double c, const Five& b) {
  const double scaled = half_root * u.r, t1 = scaled * reciprocal(c) * (b.z + b.e), t2 = b.y + t1,
               t3 = scaled * (b.z - b.e);
  return {t2, d.vx * t2 - u.r * b.x, u.r * b.r + d.vy * t2, d.vz * t2 + t3,
          u.r * (d.vy * b.r - d.vx * b.x) + d.kappa * t2 + 2.5 * c * c * t1 + d.vz * t3};
}

// Parameters of a line's systems: number of points, and weights of the first, second and fourth differences.
struct Line {
  std::int64_t n;
  double first, second, fourth;
  SEXTANT_FLOW Line(std::int64_t n_, double dt)
      : n(n_), first(dt * Scheme(n_).t2), second(dt * Scheme(n_).t1), fourth(dt * dissipation) {}
};

// Terms of a point for its own and the neighbouring rows: convection along the axis, speed of sound,
// diffusion.
struct Terms {
  double along, sound, spread;
};
template <int axis>
SEXTANT_FLOW Terms terms_of(const Line& line, double inverse, double velocity, double c) {
  return {line.first * velocity, line.first * c,
          line.second * (npb::flow::diffusion<axis> + c1345 * inverse)};
}

// A row after elimination: x + next * x_{p+1} + second * x_{p+2} = right. V is a double, or a SIMD vector
// with one value per line.
template <typename V>
struct RowOf {
  V next, second;
};
using Row = RowOf<double>;

// Row p of a system: a, b, d, e, f are the coefficients of the unknowns p - 2 … p + 2. row_at adds the fourth
// difference with weights w.
template <typename V>
struct CoefficientsOf {
  double a;
  V b, d, e;
  double f;
};
using Coefficients = CoefficientsOf<double>;
template <typename V>
SEXTANT_FLOW CoefficientsOf<V> row_at(const Line& line, std::int64_t p, const V& below, const V& spread,
                                      const V& above) {
  const Fourth w = npb::flow::fourth(p, line.n);
  return {line.fourth * w.m2, below + line.fourth * w.m1, 1 + 2 * spread + line.fourth * w.c,
          above + line.fourth * w.p1, line.fourth * w.p2};
}

// Factors of an elimination step. The step sets the right-hand side to inverse * (r - second * r_{p-2} -
// first * r_{p-1}).
template <typename V>
struct StepOf {
  double second;
  V first, inverse;
};
using Step = StepOf<double>;
// Eliminates the two previous unknowns from row p. `two` is the eliminated row p - 2, `one` is row p - 1.
template <typename V>
SEXTANT_FLOW StepOf<V> eliminate(const CoefficientsOf<V>& c, const RowOf<V>& two, const RowOf<V>& one,
                                 RowOf<V>* row) {
  const V first = c.b - c.a * two.next;
  const V inverse = inverse_of(c.d - c.a * two.second - first * one.next);
  row->next = (c.e - first * one.second) * inverse;
  row->second = c.f * inverse;
  return {c.a, first, inverse};
}
template <typename V>
SEXTANT_FLOW V eliminated(const StepOf<V>& s, const V& r, const V& two, const V& one) {
  return (r - s.second * two - s.first * one) * s.inverse;
}

// ---- one thread solves one line in memory ----

// Layout of a line's points and of its factors. The factors are six arrays with one element per point.
struct StoredLine {
  std::int64_t at, step;  // at: offset of point 0; step: distance between points
  double* factors;        // address of the factors of point 0
  std::int64_t factors_size, factors_step;
};

template <int axis>
SEXTANT_FLOW Terms stored_terms(const Line& line, std::int64_t size, std::int64_t at, const double* u,
                                const double* sound) {
  const double inverse = reciprocal(u[at]);
  return terms_of<axis>(line, inverse, u[(1 + axis) * size + at] * inverse, sound[at]);
}

// The last two eliminated rows of one system.
struct Rows {
  Row two, one;
};
SEXTANT_FLOW Step next_row(const Line& line, std::int64_t p, double sign, const Terms& below,
                           const Terms& here, const Terms& above, Rows* rows, double* factors,
                           std::int64_t size) {
  const Coefficients c =
      row_at(line, p, p == 1 ? 0 : -(below.along + sign * below.sound) - below.spread, here.spread,
             p == line.n - 2 ? 0 : above.along + sign * above.sound - above.spread);
  Row row;
  const Step step = eliminate(c, rows->two, rows->one, &row);
  rows->two = rows->one;
  rows->one = row;
  factors[0] = row.next;
  factors[size] = row.second;
  return step;
}

// Transforms the right-hand sides at a point to the characteristic variables of an axis.
template <int axis>
SEXTANT_FLOW Five on_axis(const Five& b) {
  return axis == 0 ? b : axis == 1 ? x_to_y(b) : y_to_z(b);
}
SEXTANT_FLOW Five eliminated(const Step& a, const Step& d, const Step& e, const Five& r, const Five& two,
                             const Five& one) {
  return {eliminated(a, r.r, two.r, one.r), eliminated(a, r.x, two.x, one.x),
          eliminated(a, r.y, two.y, one.y), eliminated(d, r.z, two.z, one.z),
          eliminated(e, r.e, two.e, one.e)};
}
// Computes a point's unknowns from those of the next two points, with the factors `f` of its three systems.
SEXTANT_FLOW Five substituted(const Five& y, const double (&f)[6], const Five& one, const Five& two) {
  return {y.r - f[0] * one.r - f[1] * two.r, y.x - f[0] * one.x - f[1] * two.x,
          y.y - f[0] * one.y - f[1] * two.y, y.z - f[2] * one.z - f[3] * two.z,
          y.e - f[4] * one.e - f[5] * two.e};
}

// Solves all systems of a line. Stores factors and right-hand sides (in b) to memory and loads them again.
// Lines along x expect b in characteristic variables. Lines along z write the new flow state.
template <int axis>
SEXTANT_FLOW void solve_stored(const Line& line, std::int64_t size, const StoredLine& where,
                               const double* sound, double* u, double* b) {
  Rows zero = {}, plus = {}, minus = {};
  Five one = {}, two = {};
  Terms below = {}, here = stored_terms<axis>(line, size, where.at + where.step, u, sound);
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    const std::int64_t at = where.at + p * where.step;
    const Terms above = stored_terms<axis>(line, size, p < line.n - 2 ? at + where.step : at, u, sound);
    double* const factors = where.factors + p * where.factors_step;
    const std::int64_t apart = where.factors_size;
    const Step a = next_row(line, p, 0, below, here, above, &zero, factors, apart);
    const Step d = next_row(line, p, 1, below, here, above, &plus, factors + 2 * apart, apart);
    const Step e = next_row(line, p, -1, below, here, above, &minus, factors + 4 * apart, apart);
    const Five y = eliminated(a, d, e, on_axis<axis>(load(b, size, at)), two, one);
    store(b, size, at, y);
    two = one, one = y;
    below = here, here = above;
  }
  one = two = Five{};
  for (std::int64_t p = line.n - 2; p >= 1; --p) {
    const std::int64_t at = where.at + p * where.step, apart = where.factors_size;
    const double* const factors = where.factors + p * where.factors_step;
    const double f[6] = {factors[0],         factors[apart],     factors[2 * apart],
                         factors[3 * apart], factors[4 * apart], factors[5 * apart]};
    const Five x = substituted(load(b, size, at), f, one, two);
    two = one, one = x;
    if constexpr (axis == 2) {
      const Five w = load(u, size, at);
      store(u, size, at, sum(w, to_conserved(w, derived(w), sound[at], x)));
    } else {
      store(b, size, at, x);
    }
  }
}

// Like solve_stored, but loads several points before it uses the first. The compiler cannot do this, because
// it cannot move loads across stores that may alias. Not for GCC's OpenMP offload, where it ended in an
// illegal access.
inline constexpr int places_together = 4;
template <int axis>
SEXTANT_FLOW void solve_stored_together(const Line& line, std::int64_t size, const StoredLine& where,
                                        const double* sound, double* u, double* b) {
  const std::int64_t last = line.n - 2, apart = where.factors_size;
  Rows zero = {}, plus = {}, minus = {};
  Five one = {}, two = {};
  Terms below = {}, here = stored_terms<axis>(line, size, where.at + where.step, u, sound);
  for (std::int64_t first = 1; first <= last; first += places_together) {
    Five rights[places_together];
    Terms terms[places_together];  // terms of the point after each of these points
    SEXTANT_FLOW_UNROLL
    for (int k = 0; k < places_together; ++k) {
      const std::int64_t p = first + k < last ? first + k : last, next = p < last ? p + 1 : p;
      rights[k] = load(b, size, where.at + p * where.step);
      terms[k] = stored_terms<axis>(line, size, where.at + next * where.step, u, sound);
    }
    SEXTANT_FLOW_UNROLL
    for (int k = 0; k < places_together; ++k) {
      const std::int64_t p = first + k, at = where.at + p * where.step;
      if (p > last) continue;
      double* const factors = where.factors + p * where.factors_step;
      const Step a = next_row(line, p, 0, below, here, terms[k], &zero, factors, apart);
      const Step d = next_row(line, p, 1, below, here, terms[k], &plus, factors + 2 * apart, apart);
      const Step e = next_row(line, p, -1, below, here, terms[k], &minus, factors + 4 * apart, apart);
      const Five y = eliminated(a, d, e, on_axis<axis>(rights[k]), two, one);
      store(b, size, at, y);
      two = one, one = y;
      below = here, here = terms[k];
    }
  }
  one = two = Five{};
  for (std::int64_t first = last; first >= 1; first -= places_together) {
    Five rights[places_together], states[places_together];
    double factors[places_together][6], speeds[places_together];
    SEXTANT_FLOW_UNROLL
    for (int k = 0; k < places_together; ++k) {
      const std::int64_t p = first - k > 1 ? first - k : 1, at = where.at + p * where.step;
      rights[k] = load(b, size, at);
      SEXTANT_FLOW_UNROLL
      for (int m = 0; m < 6; ++m) factors[k][m] = where.factors[p * where.factors_step + m * apart];
      if constexpr (axis == 2) states[k] = load(u, size, at), speeds[k] = sound[at];
    }
    SEXTANT_FLOW_UNROLL
    for (int k = 0; k < places_together; ++k) {
      const std::int64_t p = first - k, at = where.at + p * where.step;
      if (p < 1) continue;
      const Five x = substituted(rights[k], factors[k], one, two);
      two = one, one = x;
      if constexpr (axis == 2) {
        const Five& w = states[k];
        store(u, size, at, sum(w, to_conserved(w, derived(w), speeds[k], x)));
      } else {
        store(b, size, at, x);
      }
    }
  }
}

}  // namespace sextant::npb_sp
