// SP's systems along a line and the transforms between them, at one point; for the host and for GPUs.
#pragma once

#include <cmath>

#include "toolbox/npb_flow/equations.hpp"

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

// b before the lines along x: in characteristic variables.
SEXTANT_FLOW Five to_characteristics(const Derived& d, double c, const Five& b) {
  const double t1 = c2 * reciprocal(c * c) * (d.kappa * b.r - d.vx * b.x - d.vy * b.y - d.vz * b.z + b.e);
  const double t2 = half_root * d.inverse * (d.vx * b.r - b.x), t3 = half_root * d.inverse * c * t1;
  return {b.r - t1, -d.inverse * (d.vz * b.r - b.z), d.inverse * (d.vy * b.r - b.y), t3 - t2, t2 + t3};
}

// From x's variables to y's, and from y's to z's.
SEXTANT_FLOW Five x_to_y(const Five& b) {
  const double t1 = half_root * b.y, t2 = 0.5 * (b.z + b.e);
  return {-b.x, b.r, half_root * (b.z - b.e), t2 - t1, t1 + t2};
}
SEXTANT_FLOW Five y_to_z(const Five& b) {
  const double t1 = half_root * b.r, t2 = 0.5 * (b.z + b.e);
  return {half_root * (b.z - b.e), -b.y, b.x, t2 - t1, t1 + t2};
}

// What the lines along z leave, as a change of u.
SEXTANT_FLOW Five to_conserved(const Five& u, const Derived& d, double c, const Five& b) {
  const double scaled = half_root * u.r, t1 = scaled * reciprocal(c) * (b.z + b.e), t2 = b.y + t1,
               t3 = scaled * (b.z - b.e);
  return {t2, d.vx * t2 - u.r * b.x, u.r * b.r + d.vy * t2, d.vz * t2 + t3,
          u.r * (d.vy * b.r - d.vx * b.x) + d.kappa * t2 + 2.5 * c * c * t1 + d.vz * t3};
}

// Weights of a line's systems: of first differences, second ones and fourth ones.
struct Line {
  std::int64_t n;
  double first, second, fourth;
  SEXTANT_FLOW Line(std::int64_t n_, double dt)
      : n(n_), first(dt * Scheme(n_).t2), second(dt * Scheme(n_).t1), fourth(dt * dissipation) {}
};

// What a point adds to the rows around it: convection along the axis, the speed of sound, diffusion.
struct Terms {
  double along, sound, spread;
};
template <int axis>
SEXTANT_FLOW Terms terms_of(const Line& line, double inverse, double velocity, double c) {
  return {line.first * velocity, line.first * c,
          line.second * (npb::flow::diffusion<axis> + c1345 * inverse)};
}

// A row of which the unknowns below its own are eliminated: x + next * x_{p+1} + second * x_{p+2} = right.
struct Row {
  double next, second;
};

// Row p of a system: a to f are the coefficients of p - 2 to p + 2 without the fourth difference, whose weights are w.
struct Coefficients {
  double a, b, d, e, f;
};
SEXTANT_FLOW Coefficients row_at(const Line& line, std::int64_t p, double below, double spread,
                                 double above) {
  const Fourth w = npb::flow::fourth(p, line.n);
  return {line.fourth * w.m2, below + line.fourth * w.m1, 1 + 2 * spread + line.fourth * w.c,
          above + line.fourth * w.p1, line.fourth * w.p2};
}

// The factors of an elimination step: right sides become inverse * (r - second * r_{p-2} - first * r_{p-1}).
struct Step {
  double second, first, inverse;
};
// Eliminates the two unknowns that `two` and `one` (rows p - 2 and p - 1) determine from row p.
SEXTANT_FLOW Step eliminate(const Coefficients& c, const Row& two, const Row& one, Row* row) {
  const double first = c.b - c.a * two.next;
  const double inverse = reciprocal(c.d - c.a * two.second - first * one.next);
  row->next = (c.e - first * one.second) * inverse;
  row->second = c.f * inverse;
  return {c.a, first, inverse};
}
SEXTANT_FLOW double eliminated(const Step& s, double r, double two, double one) {
  return (r - s.second * two - s.first * one) * s.inverse;
}

// ---- a line in memory, by one thread ----

// Where a line's points lie, and its factors: six arrays, each of a point after the other.
struct StoredLine {
  std::int64_t at, step;  // of point 0
  double* factors;        // of point 0
  std::int64_t factors_size, factors_step;
};

template <int axis>
SEXTANT_FLOW Terms stored_terms(const Line& line, std::int64_t size, std::int64_t at, const double* u,
                                const double* sound) {
  const double inverse = reciprocal(u[at]);
  return terms_of<axis>(line, inverse, u[(1 + axis) * size + at] * inverse, sound[at]);
}

// One system's last two rows.
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

// Solves all systems of a line; factors and right sides, which are in b, cross memory there and back. Lines along x find
// b in their variables, those along z write the new state.
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
    const Five r = load(b, size, at), start = axis == 0 ? r : axis == 1 ? x_to_y(r) : y_to_z(r);
    const Five y = {eliminated(a, start.r, two.r, one.r), eliminated(a, start.x, two.x, one.x),
                    eliminated(a, start.y, two.y, one.y), eliminated(d, start.z, two.z, one.z),
                    eliminated(e, start.e, two.e, one.e)};
    store(b, size, at, y);
    two = one, one = y;
    below = here, here = above;
  }
  one = two = Five{};
  for (std::int64_t p = line.n - 2; p >= 1; --p) {
    const std::int64_t at = where.at + p * where.step, apart = where.factors_size;
    const double* const factors = where.factors + p * where.factors_step;
    const double a = factors[0], a2 = factors[apart], d = factors[2 * apart], d2 = factors[3 * apart],
                 e = factors[4 * apart], e2 = factors[5 * apart];
    const Five y = load(b, size, at);
    const Five x = {y.r - a * one.r - a2 * two.r, y.x - a * one.x - a2 * two.x, y.y - a * one.y - a2 * two.y,
                    y.z - d * one.z - d2 * two.z, y.e - e * one.e - e2 * two.e};
    two = one, one = x;
    if constexpr (axis == 2) {
      const Five w = load(u, size, at);
      store(u, size, at, sum(w, to_conserved(w, derived(w), sound[at], x)));
    } else {
      store(b, size, at, x);
    }
  }
}

}  // namespace sextant::npb_sp
