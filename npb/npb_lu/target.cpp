// OpenMP offload version of NAS LU: one target region over points for the right-hand sides, and one region
// over the points of each hyperplane i + j + k for the sweeps.
#include "offloaded.hpp"
#include "toolbox/target/npb_flow.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

using namespace npb_lu;

struct State {
  TargetFlow flow;
};

// Returns the number of teams of a region over `points` points. With GCC, each team of eight threads costs a
// microsecond at its start. With more than 128 teams, GCC allocates the stacks at every launch.
int teams_of(std::int64_t points) {
#ifdef __clang__
  return target::teams_for(target::all_teams, points, target::at_a_time);
#else
  return target::teams_for(128, points, 8);
#endif
}

void residual(int n, std::int64_t count, double dt, const double* u, const double* f, double* v) {
  const int teams = teams_of(count / components);
#pragma omp target teams distribute parallel for collapse(3) num_teams(teams) \
    map(u [0:count], f [0:count], v [0:count])
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        const Grid g = dense_grid(n);
        store(v, g.size(), g.at(i, j, k), times(dt, residual_at(g, u, f, i, j, k)));
      }
}

// Processes one hyperplane, in loops over rows (j, k) that can have a point of it.
template <bool upper>
void sweep_plane(int n, std::int64_t count, int plane, double dt, const double* u, double* v) {
  const int first = first_row(n, plane), end = end_row(n, plane);
  const int teams = teams_of(std::int64_t{end - first} * (end - first));
#pragma omp target teams distribute parallel for collapse(2) num_teams(teams) map(u [0:count], v [0:count])
  for (int k = first; k < end; ++k)
    for (int j = first; j < end; ++j) {
      const int i = plane - j - k;
      if (i >= 1 && i < n - 1) sweep_point<upper>(dense_grid(n), dt, u, i, j, k, v);
    }
}

void change_state(int n, std::int64_t count, const double* v, double* u) {
  const int teams = teams_of(count / components);
#pragma omp target teams distribute parallel for collapse(3) num_teams(teams) map(u [0:count], v [0:count])
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) change_point(dense_grid(n), v, i, j, k, u);
}

void put_integral(int n, std::int64_t count, std::int64_t partials, const double* u, double* rows,
                  double* out) {
#pragma omp target teams distribute parallel for map(u [0:count], rows [0:partials])
  for (int row = 0; row < 3 * n; ++row) rows[row] = integral_row(dense_grid(n), u, row);
#pragma omp target teams distribute parallel for map(rows [0:partials], out [0:result_count])
  for (int m = norm_count; m < result_count; ++m) out[m] = integral_of_rows(n, rows);
}

void launch(const Call& call) {
  const TargetFlow& flow = static_cast<const State*>(call.state)->flow;
  const auto n = static_cast<int>(points(call.problem));
  const double dt = time_step(call.problem);
  const std::int64_t count = flow.u.count;
  call.phase("reset");
  set_start(n, count, flow.u.data);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    residual(n, count, dt, flow.u.data, flow.f.data, flow.b.data);
    call.phase("lower");
    for (int plane = first_plane; plane <= last_plane(n); ++plane)
      sweep_plane<false>(n, count, plane, dt, flow.u.data, flow.b.data);
    call.phase("upper");
    for (int plane = last_plane(n); plane >= first_plane; --plane)
      sweep_plane<true>(n, count, plane, dt, flow.u.data, flow.b.data);
    change_state(n, count, flow.b.data, flow.u.data);
  }
  call.phase("verify");
  flow.put_results(call);
  put_integral(n, count, flow.partial.count, flow.u.data, flow.partial.data, call.array<double>(norms));
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const int*) { return TargetFlow::bytes(points(problem)); }

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(points(call.problem))) return why_not;
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_lu_target() {
  Variant variant = target::mapped_variant(
      "target teams distribute parallel for over points, and over the points of each hyperplane");
  variant.name = "hyperplanes";
  variant.launch = {.float64 = launch};
  variant.constraint = refuse_unnumbered;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return {variant};
}

}  // namespace sextant
