// NAS MG with NPB's own structure: one operator after another over whole fields. Each operator first adds
// adjacent rows. With OpenMP, threads divide the planes; otherwise the code is serial.
#pragma once

#include <cmath>

#include "host_state.hpp"
#include "rows.hpp"

namespace sextant::npb_mg {
namespace {

// The operations of a launch. All fields of the finest level are stored, including r.
struct Plain {
  const Call& call;
  const HostState& state;
  const std::int64_t n;
  const Smoother smoother;

  explicit Plain(const Call& call_)
      : call(call_),
        state(*static_cast<const HostState*>(call_.state)),
        n(side(call_.problem)),
        smoother(npb_mg::smoother(call_.problem)) {}

  double* u(std::int64_t m) const {
    if (m < n) return state.coarse_u.get() + level_offset(m);
    return with_field(call.problem) ? call.array<double>(field_u) : state.u_memory.get();
  }
  double* r(std::int64_t m) const {
    if (m < n) return state.coarse_r.get() + level_offset(m);
    return with_field(call.problem) ? call.array<double>(field_r) : state.r_memory.get();
  }
  double* v(std::int64_t m) const { return m < n ? r(m) : state.v_memory.get(); }

  // Calls body(k, j, row, lines) for all rows of the grid with side m. `lines` is the thread's scratch
  // memory.
  template <typename Body>
  void for_rows(std::int64_t m, const Body& body) const {
    OnThreads::run(m, [&](std::int64_t k, std::int64_t worker) {
      const Lines lines(state.room.get() + worker * Lines::doubles(n), n);
      for (std::int64_t j = 0; j < m; ++j) body(k, j, (k * m + j) * m, lines);
    });
  }

  void residual(std::int64_t m) const {
    const FieldRows rows{u(m), m};
    for_rows(m, [&](std::int64_t k, std::int64_t j, std::int64_t at, const Lines& lines) {
      residual_row(m, v(m) + at, nine_rows(rows, k, j), lines, r(m) + at);
    });
  }
  void smooth(std::int64_t m) const {
    const FieldRows rows{r(m), m};
    for_rows(m, [&](std::int64_t k, std::int64_t j, std::int64_t at, const Lines& lines) {
      smooth_row(m, smoother, u(m) + at, nine_rows(rows, k, j), lines, u(m) + at);
    });
  }
  void restrict_to(std::int64_t m) const {
    const FieldRows rows{r(2 * m), 2 * m};
    for_rows(m, [&](std::int64_t k, std::int64_t j, std::int64_t at, const Lines& lines) {
      restrict_row(2 * m, nine_rows(rows, 2 * k + 1, 2 * j + 1), lines, r(m) + at);
    });
  }
  void interpolate_to(std::int64_t m, bool add) const {
    const FieldRows rows{u(m / 2), m / 2};
    for_rows(m, [&](std::int64_t k, std::int64_t j, std::int64_t at, const Lines& lines) {
      interpolate_row(m, rows, k, j, add ? u(m) + at : nullptr, lines, u(m) + at);
    });
  }
  double norm() const {
    double* const sums = state.row_sums.get();
    OnThreads::run(n, [&](std::int64_t k, std::int64_t) {
      sums[k] = 0;
      for (std::int64_t j = 0; j < n; ++j) sums[k] += sum_of_squares(n, r(n) + (k * n + j) * n);
    });
    double sum = 0;
    for (std::int64_t k = 0; k < n; ++k) sum += sums[k];
    return std::sqrt(sum / static_cast<double>(cube(n)));
  }

  void cycle() const {
    call.phase("restrict");
    for (std::int64_t m = n / 2; m >= 2; m /= 2) restrict_to(m);
    for (std::int64_t m = 2; m <= n; m *= 2) {
      call.phase("interpolate");
      if (m == 2)
        std::fill_n(u(m), cube(m), 0.0);
      else
        interpolate_to(m, m == n);
      call.phase("residual");
      if (m > 2) residual(m);
      call.phase("smooth");
      smooth(m);
    }
    call.phase("residual");
    residual(n);
  }

  void run() const {
    call.phase("residual");
    std::fill_n(u(n), cube(n), 0.0);
    residual(n);
    call.phase("norm");
    call.array<double>(norms)[0] = norm();
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) cycle();
    call.phase("norm");
    call.array<double>(norms)[1] = norm();
    call.phase("");
  }
};

inline std::int64_t own_fields(const Problem& problem) { return with_field(problem) ? 1 : 3; }

inline const char* prepare_plain(const Call& call, void** state) {
  const std::int64_t n = side(call.problem);
  const bool own = !with_field(call.problem);
  auto made = std::make_unique<HostState>();
  made->v_memory = allocate(cube(n));
  made->coarse_u = allocate(coarser_points(n)), made->coarse_r = allocate(coarser_points(n));
  made->room = allocate(OnThreads::workers() * Lines::doubles(n));
  made->row_sums = allocate(n);
  if (own) made->u_memory = allocate(cube(n)), made->r_memory = allocate(cube(n));
  if (!made->v_memory || !made->coarse_u || !made->coarse_r || !made->room || !made->row_sums ||
      (own && (!made->u_memory || !made->r_memory)))
    return "host memory ran out";
  std::fill_n(made->v_memory.get(), cube(n), 0.0);
  put_charges(n, made->v_memory.get());
  *state = made.release();
  return nullptr;
}

inline Variant plain_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = [](const Call& call) { Plain(call).run(); }};
  variant.prepare = prepare_plain;
  variant.release = release_host;
  variant.workspace = [](const Problem& problem, const int*) {
    const std::int64_t n = side(problem);
    return 8 * (state_doubles(n, own_fields(problem)) + OnThreads::workers() * Lines::doubles(n));
  };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_mg
