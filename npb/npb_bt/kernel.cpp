#include "suite/kernel.hpp"

#include "problem.hpp"
#include "toolbox/npb_flow/kernel.hpp"
#include "toolbox/npb_flow/reference.hpp"

// Reference solution of NAS BT in long double. It builds complete blocks from the published Jacobians and
// eliminates them with pivoting.
namespace sextant::npb_bt {

// Computes the norms and the final flow state; `field` may be null.
void reference_run(const Problem& problem, double* norms, double* field);

}  // namespace sextant::npb_bt

namespace sextant {
namespace npb_bt {
namespace {

using Place = std::array<std::int64_t, 3>;

// Multiplies `above` and `right` by the inverse of `a`, by Gauss-Jordan elimination with pivoting.
void solve_with_pivots(LongBlock a, LongBlock& above, LongState& right) {
  for (std::size_t pivot = 0; pivot < components; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t row = pivot + 1; row < components; ++row)
      if (std::abs(a[row][pivot]) > std::abs(a[best][pivot])) best = row;
    std::swap(a[pivot], a[best]);
    std::swap(above[pivot], above[best]);
    std::swap(right[pivot], right[best]);
    for (std::size_t row = pivot + 1; row < components; ++row) {
      const Long factor = a[row][pivot] / a[pivot][pivot];
      for (std::size_t column = 0; column < components; ++column) {
        a[row][column] -= factor * a[pivot][column];
        above[row][column] -= factor * above[pivot][column];
      }
      right[row] -= factor * right[pivot];
    }
  }
  for (std::size_t row = components; row-- > 0;) {
    for (std::size_t known = row + 1; known < components; ++known) {
      for (std::size_t column = 0; column < components; ++column)
        above[row][column] -= a[row][known] * above[known][column];
      right[row] -= a[row][known] * right[known];
    }
    for (Long& value : above[row]) value /= a[row][row];
    right[row] /= a[row][row];
  }
}

// Solves one line along `axis`.
void solve_line(const LongField& u, Long dt, std::size_t axis, Place at, LongField& b) {
  const std::int64_t n = u.n;
  const Long first = dt * static_cast<Long>(n - 1) / 2, second = dt * static_cast<Long>((n - 1) * (n - 1));
  const Long spread = axis == 2 ? 1.0L : 0.75L;
  const auto place = [&](std::int64_t p) {
    at[axis] = p;
    return at;
  };
  // Returns factor * convection - weight * (viscosity + diffusion) at point p. `diagonal` is 1 for the
  // diagonal block and 0 otherwise.
  const auto block = [&](std::int64_t p, Long factor, Long weight, Long diagonal) {
    LongBlock m = long_convection(u(place(p)), axis);
    const LongBlock v = long_viscosity(u(place(p)), axis);
    for (std::size_t row = 0; row < components; ++row)
      for (std::size_t column = 0; column < components; ++column)
        m[row][column] = factor * m[row][column] - weight * (v[row][column] + (row == column ? spread : 0)) +
                         (row == column ? diagonal : 0);
    return m;
  };
  std::vector<LongBlock> eliminated(static_cast<std::size_t>(n));
  for (std::int64_t p = 1; p < n - 1; ++p) {
    LongBlock own = block(p, 0, -2 * second, 1);
    LongState right = b(place(p));
    if (p > 1) {
      const LongBlock below = block(p - 1, -first, second, 0);
      for (std::size_t row = 0; row < components; ++row)
        for (std::size_t inner = 0; inner < components; ++inner) {
          for (std::size_t column = 0; column < components; ++column)
            own[row][column] -=
                below[row][inner] * eliminated[static_cast<std::size_t>(p - 1)][inner][column];
          right[row] -= below[row][inner] * b(place(p - 1))[inner];
        }
    }
    LongBlock above = p < n - 2 ? block(p + 1, first, second, 0) : LongBlock{};
    solve_with_pivots(own, above, right);
    eliminated[static_cast<std::size_t>(p)] = above;
    b(place(p)) = right;
  }
  for (std::int64_t p = n - 3; p >= 1; --p)
    for (std::size_t row = 0; row < components; ++row)
      for (std::size_t column = 0; column < components; ++column)
        b(place(p))[row] -= eliminated[static_cast<std::size_t>(p)][row][column] * b(place(p + 1))[column];
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

}  // namespace

void reference_run(const Problem& problem, double* norms_out, double* field_out) {
  const std::int64_t n = points(problem);
  const Long dt = time_step(problem);
  LongField u = long_start(n);
  const LongField f = long_forcing(n);
  for (std::int64_t t = 0; t < iterations(problem); ++t) {
    LongField b = long_residual(u, f, dt);
    for (std::size_t axis = 0; axis < 3; ++axis) solve_lines(u, dt, axis, b);
    at_interior_points(n, [&](const Place& at) {
      for (std::size_t m = 0; m < components; ++m) u(at)[m] += b(at)[m];
    });
  }
  put_results(u, f, norms_out, field_out);
}

namespace {

struct Bt {
  static constexpr const char
      *name = "npb_bt",
      *field_name = "npb_bt_field", *title = "BT",
      *formula = "NAS BT: time steps of flow equations, block tridiagonal systems along the three axes";
  static constexpr std::span<const Class> classes = npb_bt::classes;
  static constexpr double operations[4] = {3478.8, -17655.7, 28023.7, 0};
  // Memory accesses per point: the residual reads u and f and writes b. The solver of each axis reads u and
  // b; it writes b, or u along the last axis.
  static constexpr std::int64_t read = 4 * 10, written = 4 * 5;
  static constexpr double passes = 4;
  static constexpr int integrals = 0;
  static double roundings(double scaled) { return 32 + 16 * scaled; }
  static constexpr const char* reason = reason_of_lines;
  static void by_definition(const Problem& problem, double* norms_out, double* field_out) {
    reference_run(problem, norms_out, field_out);
  }
};

}  // namespace
}  // namespace npb_bt

std::vector<Kernel> npb_bt_kernels() { return npb::flow::flow_kernels<npb_bt::Bt>(); }

}  // namespace sextant
