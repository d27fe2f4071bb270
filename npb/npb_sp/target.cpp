// OpenMP offload version of NAS SP: one target region over points for the right-hand sides, and one region
// over lines for each axis.
#include "lines.hpp"
#include "problem.hpp"
#include "toolbox/target/npb_flow.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

using namespace npb_sp;

struct State {
  TargetFlow flow;
  MappedDoubles sound, factors;
};

constexpr int factor_count = 6;

void residual(int n, std::int64_t count, std::int64_t size, double dt, const double* u, const double* f,
              double* b, double* sound) {
#pragma omp target teams distribute parallel for collapse(3) \
    map(u [0:count], f [0:count], b [0:count], sound [0:size])
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        const Grid g = dense_grid(n);
        const std::int64_t at = g.at(i, j, k);
        const Five w = load(u, g.size(), at);
        const Derived d = derived(w);
        const double c = sound_speed(w, d);
        store(b, g.size(), at, to_characteristics(d, c, times(dt, residual_at(g, u, f, i, j, k))));
        sound[at] = c;
      }
}

template <int axis>
void solve(int n, std::int64_t count, std::int64_t size, std::int64_t factor_size, double dt,
           const double* sound, double* factors, double* u, double* b) {
  const int inner = n - 2;
#pragma omp target teams distribute parallel for map(u [0:count], b [0:count], sound [0:size], \
                                                     factors [0:factor_size])
  for (int i = 0; i < inner * inner; ++i) {
    const Grid g = dense_grid(n);
    const Line line(n, dt);
    const std::int64_t near = i % inner + 1, other = i / inner + 1, lines = std::int64_t{inner} * inner;
    const std::int64_t at = axis == 0   ? g.at(0, near, other)
                            : axis == 1 ? g.at(near, 0, other)
                                        : g.at(near, other, 0);
    const std::int64_t step = axis == 0 ? 1 : axis == 1 ? g.pitch : g.pitch * g.n;
    solve_stored<axis>(line, g.size(), {at, step, factors + i - lines, lines * inner, lines}, sound, u, b);
  }
}

template <int axis>
void solve(const State& state, int n, double dt) {
  solve<axis>(n, state.flow.u.count, state.sound.count, state.factors.count, dt, state.sound.data,
              state.factors.data, state.flow.u.data, state.flow.b.data);
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
    residual(n, flow.u.count, state.sound.count, dt, flow.u.data, flow.f.data, flow.b.data, state.sound.data);
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

std::int64_t factor_doubles(std::int64_t n) { return factor_count * (n - 2) * (n - 2) * (n - 2); }

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t n = points(problem);
  return TargetFlow::bytes(n) + 8 * (n * n * n + factor_doubles(n));
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n)) return why_not;
  if (!made->sound.allocate(n * n * n) || !made->factors.allocate(factor_doubles(n))) return "memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_sp_target() {
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
