#include "suite/kernel.hpp"

#include "problem.hpp"
#include "toolbox/npb_flow/kernel.hpp"
#include "toolbox/npb_flow/reference.hpp"

// Reference solution of NAS SP in long double. It solves a line's systems as general band matrices.
namespace sextant::npb_sp {

// Computes the norms and, if `field` is not null, the final flow state.
void reference_run(const Problem& problem, double* norms, double* field);

}  // namespace sextant::npb_sp

namespace sextant {
namespace npb_sp {
namespace {

using Place = std::array<std::int64_t, 3>;

// A band matrix of five diagonals with one right-hand side. It is eliminated row by row. The unknowns are 0 …
// n - 1.
struct Band {
  std::vector<std::array<Long, 5>> rows;
  std::vector<Long> right;

  explicit Band(std::size_t n) : rows(n), right(n) {
    for (auto& row : rows) row = {0, 0, 1, 0, 0};
  }
  void solve() {
    const std::size_t n = rows.size();
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t below = 1; below <= 2 && p + below < n; ++below) {
        const Long factor = rows[p + below][2 - below] / rows[p][2];
        for (std::size_t column = 0; column <= 2; ++column)
          rows[p + below][2 - below + column] -= factor * rows[p][2 + column];
        right[p + below] -= factor * right[p];
      }
    for (std::size_t p = n; p-- > 0;) {
      for (std::size_t above = 1; above <= 2 && p + above < n; ++above)
        right[p] -= rows[p][2 + above] * right[p + above];
      right[p] /= rows[p][2];
    }
  }
};

Long speed_of_sound(const LongState& u) { return std::sqrt(1.4L * 0.4L * (u[4] - long_q(u)) / u[0]); }

// Solves one line along `axis` for all components of b.
void solve_line(const LongField& u, Long dt, std::size_t axis, Place at, LongField& b) {
  const std::int64_t n = u.n;
  const Long first = dt * static_cast<Long>(n - 1) / 2, second = dt * static_cast<Long>((n - 1) * (n - 1)),
             fourth_order = dt / 4;
  const auto place = [&](std::int64_t p) {
    at[axis] = p;
    return at;
  };
  for (std::size_t m = 0; m < components; ++m) {
    const Long sign = m < 3 ? 0 : m == 3 ? 1 : -1;
    const auto convection = [&](std::int64_t p) {
      const LongState& w = u(place(p));
      return first * (w[1 + axis] / w[0] + sign * speed_of_sound(w));
    };
    const auto spread = [&](std::int64_t p) {
      return second * ((axis == 2 ? 1.0L : 0.75L) + 0.196L / u(place(p))[0]);
    };
    Band band(static_cast<std::size_t>(n));
    for (std::int64_t p = 1; p < n - 1; ++p) {
      auto& row = band.rows[static_cast<std::size_t>(p)];
      row[2] += 2 * spread(p) + fourth_order * (p == 1 || p == n - 2 ? 5 : 6);
      if (p > 1) row[1] = -convection(p - 1) - spread(p - 1) - 4 * fourth_order;
      if (p < n - 2) row[3] = convection(p + 1) - spread(p + 1) - 4 * fourth_order;
      if (p > 2) row[0] = fourth_order;
      if (p < n - 3) row[4] = fourth_order;
      band.right[static_cast<std::size_t>(p)] = b(place(p))[m];
    }
    band.solve();
    for (std::int64_t p = 1; p < n - 1; ++p) b(place(p))[m] = band.right[static_cast<std::size_t>(p)];
  }
}

void solve_lines(const LongField& u, Long dt, std::size_t axis, LongField& b) {
#pragma omp parallel for schedule(static)
  for (std::int64_t other = 1; other < u.n - 1; ++other)
    for (std::int64_t line = 1; line < u.n - 1; ++line)
      solve_line(u, dt, axis,
                 axis == 0   ? Place{0, line, other}
                 : axis == 1 ? Place{line, 0, other}
                             : Place{line, other, 0},
                 b);
}

// The transforms of variables in the published scheme.
LongState before_x(const LongState& u, const LongState& r) {
  const Long inverse = 1 / u[0], c = speed_of_sound(u), s = std::sqrt(0.5L);
  const Long t1 = 0.4L / (c * c) *
                  (long_q(u) * inverse * r[0] - inverse * (u[1] * r[1] + u[2] * r[2] + u[3] * r[3]) + r[4]);
  const Long t2 = s * inverse * (u[1] * inverse * r[0] - r[1]), t3 = s * inverse * c * t1;
  return {r[0] - t1, -inverse * (u[3] * inverse * r[0] - r[3]), inverse * (u[2] * inverse * r[0] - r[2]),
          -t2 + t3, t2 + t3};
}
LongState after_x(const LongState&, const LongState& r) {
  const Long s = std::sqrt(0.5L), t1 = s * r[2], t2 = (r[3] + r[4]) / 2;
  return {-r[1], r[0], s * (r[3] - r[4]), -t1 + t2, t1 + t2};
}
LongState after_y(const LongState&, const LongState& r) {
  const Long s = std::sqrt(0.5L), t1 = s * r[0], t2 = (r[3] + r[4]) / 2;
  return {s * (r[3] - r[4]), -r[2], r[1], -t1 + t2, t1 + t2};
}
LongState after_z(const LongState& u, const LongState& r) {
  const Long c = speed_of_sound(u), b = std::sqrt(0.5L) * u[0], t1 = b / c * (r[3] + r[4]), t2 = r[2] + t1,
             t3 = b * (r[3] - r[4]);
  const Long vx = u[1] / u[0], vy = u[2] / u[0], vz = u[3] / u[0];
  return {t2, -u[0] * r[1] + vx * t2, u[0] * r[0] + vy * t2, vz * t2 + t3,
          u[0] * (-vx * r[1] + vy * r[0]) + long_q(u) / u[0] * t2 + 2.5L * c * c * t1 + vz * t3};
}

template <LongState (*transform)(const LongState&, const LongState&)>
void transform_all(const LongField& u, LongField& b) {
  at_interior_points(u.n, [&](const Place& at) { b(at) = transform(u(at), b(at)); });
}

}  // namespace

void reference_run(const Problem& problem, double* norms_out, double* field_out) {
  const std::int64_t n = points(problem);
  const Long dt = time_step(problem);
  LongField u = long_start(n);
  const LongField f = long_forcing(n);
  for (std::int64_t t = 0; t < iterations(problem); ++t) {
    LongField b = long_residual(u, f, dt);
    transform_all<before_x>(u, b);
    solve_lines(u, dt, 0, b);
    transform_all<after_x>(u, b);
    solve_lines(u, dt, 1, b);
    transform_all<after_y>(u, b);
    solve_lines(u, dt, 2, b);
    transform_all<after_z>(u, b);
    at_interior_points(n, [&](const Place& at) {
      for (std::size_t m = 0; m < components; ++m) u(at)[m] += b(at)[m];
    });
  }
  put_results(u, f, norms_out, field_out);
}

namespace {

struct Sp {
  static constexpr const char
      *name = "npb_sp",
      *field_name = "npb_sp_field", *title = "SP",
      *formula = "NAS SP: time steps of flow equations, scalar pentadiagonal systems along the three axes";
  static constexpr std::span<const Class> classes = npb_sp::classes;
  static constexpr double operations[4] = {881.174, -4683.91, 11484.5, -19272.4};
  // Memory accesses per point. The residual reads u and f and writes b. The solver of each axis reads b,
  // density, one momentum and the speed of sound, and writes b. Along z it also reads u, and writes u instead
  // of b.
  static constexpr std::int64_t read = 10 + 8 + 8 + 10, written = 6 + 5 + 5 + 5;
  static constexpr double passes = 4;
  static constexpr int integrals = 0;
  static double roundings(double scaled) { return 32 + 16 * scaled; }
  static constexpr const char* reason = reason_of_lines;
  static void by_definition(const Problem& problem, double* norms_out, double* field_out) {
    reference_run(problem, norms_out, field_out);
  }
};

}  // namespace
}  // namespace npb_sp

std::vector<Kernel> npb_sp_kernels() { return npb::flow::flow_kernels<npb_sp::Sp>(); }

}  // namespace sextant
