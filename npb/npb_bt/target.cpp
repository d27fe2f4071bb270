// OpenMP offload version of NAS BT: one target region over points for the right-hand sides, and one region
// over lines for each axis.
#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/target/npb_flow.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

using namespace npb_bt;

struct State {
  TargetFlow flow;
  MappedDoubles blocks;
};

void residual(int n, std::int64_t count, double dt, const double* u, const double* f, double* b) {
#pragma omp target teams distribute parallel for collapse(3) map(u [0:count], f [0:count], b [0:count])
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        const Grid g = dense_grid(n);
        store(b, g.size(), g.at(i, j, k), times(dt, residual_at(g, u, f, i, j, k)));
      }
}

template <int axis>
void solve(int n, std::int64_t count, std::int64_t scratch_size, double dt, double* blocks, double* u,
           double* b) {
  const int inner = n - 2;
#pragma omp target teams distribute parallel for map(u [0:count], b [0:count], blocks [0:scratch_size])
  for (int i = 0; i < inner * inner; ++i) {
    const Grid g = dense_grid(n);
    const Line line(n, dt);
    const std::int64_t near = i % inner + 1, other = i / inner + 1, lines = std::int64_t{inner} * inner;
    const std::int64_t at = axis == 0   ? g.at(0, near, other)
                            : axis == 1 ? g.at(near, 0, other)
                                        : g.at(near, other, 0);
    const std::int64_t step = axis == 0 ? 1 : axis == 1 ? g.pitch : g.pitch * g.n;
    solve_stored<axis>(line, Scratch{blocks + i - lines, lines * inner, lines},
                       InMemory<axis>{g.size(), at, step, u, b});
  }
}

template <int axis>
void solve(const State& state, int n, double dt) {
  solve<axis>(n, state.flow.u.count, state.blocks.count, dt, state.blocks.data, state.flow.u.data,
              state.flow.b.data);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const TargetFlow& flow = state.flow;
  const auto n = static_cast<int>(points(call.problem));
  const double dt = time_step(call.problem);
  call.phase("reset");
  set_start(n, flow.u.count, flow.u.data);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    residual(n, flow.u.count, dt, flow.u.data, flow.f.data, flow.b.data);
    call.phase("x_solve");
    solve<0>(state, n, dt);
    call.phase("y_solve");
    solve<1>(state, n, dt);
    call.phase("z_solve");
    solve<2>(state, n, dt);
  }
  call.phase("verify");
  flow.put_results(call);
  call.phase("");
}

std::int64_t scratch_doubles(std::int64_t n) { return scratch_arrays * (n - 2) * (n - 2) * (n - 2); }

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t n = points(problem);
  return TargetFlow::bytes(n) + 8 * scratch_doubles(n);
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n)) return why_not;
  if (!made->blocks.allocate(scratch_doubles(n))) return "memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_bt_target() {
  Variant variant = target::mapped_variant("target teams distribute parallel for over points and over lines");
  variant.name = "parallel_for";
  variant.launch = {.float64 = launch};
  variant.constraint = refuse_unnumbered;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return {variant};
}

}  // namespace sextant
