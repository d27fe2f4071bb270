// A loop over points for the right sides, one over the points of each hyperplane i + j + k for the sweeps: these need points of
// the plane before alone. The host waits for each loop: GCC's queues take several times as long (docs/openacc.md).
#include "offloaded.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/npb_flow.hpp"

namespace sextant {
namespace {

using namespace npb_lu;
using VectorLengths = Choices<32, 64, 128>;

struct Vectors {
  int vector_length = 64;  // of a hyperplane
};

struct State {
  AccFlow flow;
};

void residual(int n, double dt, const double* u, const double* f, double* v) {
#pragma acc parallel loop gang vector collapse(3) vector_length(128) deviceptr(u, f, v)
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        const Grid g = dense_grid(n);
        store(v, g.size(), g.at(i, j, k), times(dt, residual_at(g, u, f, i, j, k)));
      }
}

// Rows (j, k) that have a point of the hyperplane, and some beside them.
template <bool upper, int V>
void sweep_plane(int n, int plane, double dt, const double* u, double* v) {
  const int first = first_row(n, plane), end = end_row(n, plane);
#pragma acc parallel loop gang vector collapse(2) vector_length(V) deviceptr(u, v)
  for (int k = first; k < end; ++k)
    for (int j = first; j < end; ++j) {
      const int i = plane - j - k;
      if (i >= 1 && i < n - 1) sweep_point<upper>(dense_grid(n), dt, u, i, j, k, v);
    }
}

void change_state(int n, const double* v, double* u) {
#pragma acc parallel loop gang vector collapse(3) vector_length(128) deviceptr(u, v)
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) change_point(dense_grid(n), v, i, j, k, u);
}

void put_integral(int n, const double* u, double* rows, double* out) {
#pragma acc parallel loop gang vector vector_length(64) deviceptr(u, rows)
  for (int row = 0; row < 3 * n; ++row) rows[row] = integral_row(dense_grid(n), u, row);
#pragma acc parallel loop gang vector vector_length(32) deviceptr(rows) present(out [0:result_count])
  for (int m = norm_count; m < result_count; ++m) out[m] = integral_of_rows(n, rows);
}

void launch(const Call& call) {
  const AccFlow& flow = static_cast<const State*>(call.state)->flow;
  const auto n = static_cast<int>(points(call.problem));
  const double dt = time_step(call.problem);
  call.phase("reset");
  set_start(n, flow.u.data);
  VectorLengths::with(call.tuned<Vectors>().vector_length, [&]<int V>() {
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
      call.phase("rhs");
      residual(n, dt, flow.u.data, flow.f.data, flow.b.data);
      call.phase("lower");
      for (int plane = first_plane; plane <= last_plane(n); ++plane)
        sweep_plane<false, V>(n, plane, dt, flow.u.data, flow.b.data);
      call.phase("upper");
      for (int plane = last_plane(n); plane >= first_plane; --plane)
        sweep_plane<true, V>(n, plane, dt, flow.u.data, flow.b.data);
      change_state(n, flow.b.data, flow.u.data);
    }
  });
  call.phase("verify");
  flow.put_results(call);
  put_integral(n, flow.u.data, flow.partial.data, call.array<double>(norms));
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const int*) { return AccFlow::bytes(points(problem)); }

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(points(call.problem))) return why_not;
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_lu_openacc_hyperplanes() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a point a thread for the right sides, a loop over the points of each hyperplane";
  variant.tunables = tunables<Vectors>({{"vector_length", &Vectors::vector_length, VectorLengths::list()}});
  variant.launch = {.float64 = launch};
  variant.constraint = refuse_unnumbered;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return variant;
}

}  // namespace sextant
