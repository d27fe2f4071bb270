#include "suite/kernel.hpp"

#include "problem.hpp"
#include "toolbox/npb_flow/kernel.hpp"
#include "toolbox/npb_flow/reference.hpp"

// Reference solution of NAS LU in long double. It builds complete blocks from the published Jacobians and
// eliminates them with pivoting.
namespace sextant::npb_lu {

// Computes the norms, the integral and, if `field` is not null, the final flow state.
void reference_run(const Problem& problem, double* norms, double* field);

}  // namespace sextant::npb_lu

namespace sextant {
namespace npb_lu {
namespace {

using Place = std::array<std::int64_t, 3>;

Long spread_of(std::size_t axis) { return axis == 2 ? 1.0L : 0.75L; }

// Adds factor * convection - weight * (viscosity + diffusion) to m, for state u along an axis.
void add_block(const LongState& u, std::size_t axis, Long factor, Long weight, LongBlock& m) {
  const LongBlock j = long_convection(u, axis), n = long_viscosity(u, axis);
  for (std::size_t row = 0; row < components; ++row)
    for (std::size_t column = 0; column < components; ++column)
      m[row][column] +=
          factor * j[row][column] - weight * (n[row][column] + (row == column ? spread_of(axis) : 0));
}

// Replaces `right` by a^-1 * right, by elimination with pivoting.
void solve_with_pivots(LongBlock a, LongState& right) {
  for (std::size_t pivot = 0; pivot < components; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t row = pivot + 1; row < components; ++row)
      if (std::abs(a[row][pivot]) > std::abs(a[best][pivot])) best = row;
    std::swap(a[pivot], a[best]);
    std::swap(right[pivot], right[best]);
    for (std::size_t row = pivot + 1; row < components; ++row) {
      const Long factor = a[row][pivot] / a[pivot][pivot];
      for (std::size_t column = pivot; column < components; ++column)
        a[row][column] -= factor * a[pivot][column];
      right[row] -= factor * right[pivot];
    }
  }
  for (std::size_t row = components; row-- > 0;) {
    for (std::size_t known = row + 1; known < components; ++known) right[row] -= a[row][known] * right[known];
    right[row] /= a[row][row];
  }
}

struct LongSweep {
  const LongField& u;
  Long first, second;

  LongSweep(const LongField& u_, Long dt)
      : u(u_),
        first(dt * static_cast<Long>(u_.n - 1) / 2),
        second(dt * static_cast<Long>((u_.n - 1) * (u_.n - 1))) {}

  // Returns omega times the contributions of the previous (-1) or next (+1) neighbours to a point's
  // equations.
  LongState of_neighbours(const Place& at, const LongField& v, std::int64_t side) const {
    LongState sum = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Place there = at;
      there[axis] += side;
      LongBlock block = {};
      add_block(u(there), axis, static_cast<Long>(side) * first, second, block);
      for (std::size_t row = 0; row < components; ++row)
        for (std::size_t column = 0; column < components; ++column)
          sum[row] += 1.2L * block[row][column] * v(there)[column];
    }
    return sum;
  }
  LongBlock own(const Place& at) const {
    LongBlock block = {};
    for (std::size_t axis = 0; axis < 3; ++axis) add_block(u(at), axis, 0, -2 * second, block);
    for (std::size_t row = 0; row < components; ++row) block[row][row] += 1;
    return block;
  }
};

void sweep_up(const LongSweep& sweep, LongField& v) {
  for (std::int64_t k = 1; k < v.n - 1; ++k)
    for (std::int64_t j = 1; j < v.n - 1; ++j)
      for (std::int64_t i = 1; i < v.n - 1; ++i) {
        const Place at = {i, j, k};
        const LongState sum = sweep.of_neighbours(at, v, -1);
        for (std::size_t m = 0; m < components; ++m) v(at)[m] -= sum[m];
        solve_with_pivots(sweep.own(at), v(at));
      }
}

void sweep_down(const LongSweep& sweep, LongField& v) {
  for (std::int64_t k = v.n - 2; k >= 1; --k)
    for (std::int64_t j = v.n - 2; j >= 1; --j)
      for (std::int64_t i = v.n - 2; i >= 1; --i) {
        const Place at = {i, j, k};
        LongState sum = sweep.of_neighbours(at, v, 1);
        solve_with_pivots(sweep.own(at), sum);
        for (std::size_t m = 0; m < components; ++m) v(at)[m] -= sum[m];
      }
}

// Integrates the pressure over two faces across each axis by the trapezoidal rule.
Long integral_of(const LongField& u) {
  const std::int64_t low[] = {1, 1, 2}, high[] = {u.n - 2, u.n - 3, u.n - 2};
  Long sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
    for (const std::int64_t face : {low[axis], high[axis]})
      for (std::int64_t p = low[b]; p < high[b]; ++p)
        for (std::int64_t q = low[c]; q < high[c]; ++q)
          for (std::int64_t corner = 0; corner < 4; ++corner) {
            Place at;
            at[axis] = face, at[b] = p + corner % 2, at[c] = q + corner / 2;
            sum += 0.4L * (u(at)[4] - long_q(u(at)));
          }
  }
  const auto cells = static_cast<Long>(u.n - 1);
  return sum / (4 * cells * cells);
}

}  // namespace

void reference_run(const Problem& problem, double* norms_out, double* field_out) {
  const std::int64_t n = points(problem);
  const Long dt = time_step(problem);
  LongField u = long_start(n);
  const LongField f = long_forcing(n);
  for (std::int64_t t = 0; t < iterations(problem); ++t) {
    LongField v = long_residual(u, f, dt);
    const LongSweep sweep(u, dt);
    sweep_up(sweep, v);
    sweep_down(sweep, v);
    at_interior_points(n, [&](const Place& at) {
      for (std::size_t m = 0; m < components; ++m) u(at)[m] += v(at)[m] / (1.2L * (2 - 1.2L));
    });
  }
  put_results(u, f, norms_out, field_out);
  norms_out[norm_count] = static_cast<double>(integral_of(u));
}

namespace {

struct Lu {
  static constexpr const char
      *name = "npb_lu",
      *field_name = "npb_lu_field", *title = "LU",
      *formula =
          "NAS LU: time steps of flow equations by SSOR; points of a sweep depend on predecessors "
          "along three axes";
  static constexpr std::span<const Class> classes = npb_lu::classes;
  static constexpr double operations[4] = {1984.77, -10923.3, 27770.9, -144010};
  // Memory accesses per point. The upward sweep includes the residual, reads u and f and writes v. The
  // downward sweep reads u and v and writes u.
  static constexpr std::int64_t read = 10 + 10, written = 5 + 5;
  static constexpr double passes = 3;
  static constexpr int integrals = 1;
  static double roundings(double scaled) { return 64 + 16 * scaled / (1 + 5 * scaled); }
  static constexpr const char* reason =
      "a step's right-hand side errs by some roundings of the differences' terms, dt (n - 1)^2 u "
      "of the largest value. The sweeps divide this by their diagonal, at least 1 + 5 dt (n - "
      "1)^2, and add some roundings, which later steps do not amplify. A norm of the residual errs "
      "by (n - 1)^2 times the state's error, the integral by the pressure's error (u = unit "
      "roundoff)";
  static void by_definition(const Problem& problem, double* norms_out, double* field_out) {
    reference_run(problem, norms_out, field_out);
  }
};

}  // namespace
}  // namespace npb_lu

std::vector<Kernel> npb_lu_kernels() { return npb::flow::flow_kernels<npb_lu::Lu>(); }

}  // namespace sextant
