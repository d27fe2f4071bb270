// Variant openacc.hyperplanes: one loop over points for the right-hand sides, and one loop over the points of
// each hyperplane i + j + k for the sweeps. All loops run in one queue and map no data, because mapping costs
// more than a launch in GCC (docs/reference/openacc.md). Their parameters, including the next hyperplane, are
// in the device variable `acc_steps`.
#include "offloaded.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/npb_flow.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace npb_lu {

// Parameters of the loops. The two elements of `plane` alternate (double buffering): a loop reads its plane
// while it stores the next one.
struct AccSteps {
  double *u, *v;
  const double* f;
  double dt;
  int n, plane[2];
};
AccSteps acc_steps;
#pragma acc declare create(acc_steps)

}  // namespace npb_lu
namespace {

using namespace npb_lu;
using openacc::gangs_for;
using VectorLengths = Choices<32, 64, 128>;

struct Vectors {
  int vector_length = 64;  // threads per gang in the loops over hyperplanes
};

struct State {
  AccFlow flow;
};

constexpr int queue = 1, length = 128;

void residual(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int n = acc_steps.n;
    const double dt = acc_steps.dt;
    const double *const u = acc_steps.u, *const f = acc_steps.f;
    double* const v = acc_steps.v;
#pragma acc loop gang vector collapse(3)
    for (int k = 1; k < n - 1; ++k)
      for (int j = 1; j < n - 1; ++j)
        for (int i = 1; i < n - 1; ++i) {
          const Grid g = dense_grid(n);
          store(v, g.size(), g.at(i, j, k), times(dt, residual_at(g, u, f, i, j, k)));
          if (i + j + k == first_plane) acc_steps.plane[0] = first_plane;
        }
  }
}

// Processes one hyperplane, in loops over rows (j, k) that can have a point of it. The last plane of the
// upward sweep is the first of the downward sweep.
template <bool upper, int V, int turn>
void sweep_plane(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(V) async(queue)
  {
    const int n = acc_steps.n, plane = acc_steps.plane[turn];
    const int first = first_row(n, plane), end = end_row(n, plane);
    const double dt = acc_steps.dt;
    const double* const u = acc_steps.u;
    double* const v = acc_steps.v;
#pragma acc loop gang vector collapse(2)
    for (int k = first; k < end; ++k)
      for (int j = first; j < end; ++j) {
        if (k == first && j == first)
          acc_steps.plane[1 - turn] = upper ? plane - 1 : plane < last_plane(n) ? plane + 1 : plane;
        const int i = plane - j - k;
        if (i >= 1 && i < n - 1) sweep_point<upper>(dense_grid(n), dt, u, i, j, k, v);
      }
  }
}

void change_state(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int n = acc_steps.n;
    const double* const v = acc_steps.v;
    double* const u = acc_steps.u;
#pragma acc loop gang vector collapse(3)
    for (int k = 1; k < n - 1; ++k)
      for (int j = 1; j < n - 1; ++j)
        for (int i = 1; i < n - 1; ++i) change_point(dense_grid(n), v, i, j, k, u);
  }
}

void put_integral(int n, const double* u, double* rows, double* out) {
#pragma acc parallel loop gang vector vector_length(64) deviceptr(u, rows)
  for (int row = 0; row < 3 * n; ++row) rows[row] = integral_row(dense_grid(n), u, row);
#pragma acc parallel loop gang vector vector_length(32) deviceptr(rows) present(out [0:result_count])
  for (int m = norm_count; m < result_count; ++m) out[m] = integral_of_rows(n, rows);
}

// Processes the hyperplanes of one sweep. `taken` counts them over both sweeps and selects the element of
// `plane`.
template <bool upper, int V>
void sweep(int n, int& taken) {
  for (int count = first_plane; count <= last_plane(n); ++count, ++taken) {
    const int plane = upper ? first_plane + last_plane(n) - count : count;
    const std::int64_t rows = end_row(n, plane) - first_row(n, plane);
    const int gangs = gangs_for(rows * rows, V);
    if (taken % 2 == 0)
      sweep_plane<upper, V, 0>(gangs);
    else
      sweep_plane<upper, V, 1>(gangs);
  }
}

void launch(const Call& call) {
  const AccFlow& flow = static_cast<const State*>(call.state)->flow;
  const auto n = static_cast<int>(points(call.problem));
  const int all = gangs_for(static_cast<std::int64_t>(n - 2) * (n - 2) * (n - 2), length);
  call.phase("reset");
  set_start(n, flow.u.data);
  acc_steps = {flow.u.data, flow.b.data, flow.f.data, time_step(call.problem), n, {first_plane, first_plane}};
  acc_update_device(&acc_steps,
                    sizeof acc_steps);  // replaces the directive `update device`, which GCC 12 ignores here
  VectorLengths::with(call.tuned<Vectors>().vector_length, [&]<int V>() {
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
      int taken = 0;
      call.phase("rhs");
      residual(all);
      call.phase("lower");
      sweep<false, V>(n, taken);
      call.phase("upper");
      sweep<true, V>(n, taken);
      change_state(all);
    }
  });
  call.phase("verify");
#pragma acc wait(queue)
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

std::vector<Variant> npb_lu_openacc_hyperplanes() {
  return {
      {.name = "hyperplanes",
       .description = "one thread per point for the right-hand sides; one loop over points per hyperplane",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Vectors>({{"vector_length", &Vectors::vector_length, VectorLengths::list()}}),
       .launch = {.float64 = launch},
       .constraint = refuse_unnumbered,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = workspace}};
}

}  // namespace sextant
