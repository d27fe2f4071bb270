// A loop over points for the right sides; a line a thread, whose blocks cross memory. Neighbouring threads have
// neighbouring lines: along y and z they read neighbours at the same time, along x a line of the cache each.
#include "blocks.hpp"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/npb_flow.hpp"

namespace sextant {
namespace {

using namespace npb_bt;
using VectorLengths = Choices<32, 64, 128>;

struct Vectors {
  int vector_length = 64;  // of lines
};

struct State {
  AccFlow flow;
  openacc::Memory<double> blocks;
};

void residual(int n, double dt, const double* u, const double* f, double* b) {
#pragma acc parallel loop gang vector collapse(3) vector_length(128) deviceptr(u, f, b)
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        const Grid g = dense_grid(n);
        store(b, g.size(), g.at(i, j, k), times(dt, residual_at(g, u, f, i, j, k)));
      }
}

template <int axis, int V>
void solve(int n, double dt, double* blocks, double* u, double* b) {
  const int inner = n - 2;
#pragma acc parallel loop gang vector vector_length(V) deviceptr(u, b, blocks)
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

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const AccFlow& flow = state.flow;
  const auto n = static_cast<int>(points(call.problem));
  const double dt = time_step(call.problem);
  call.phase("reset");
  set_start(n, flow.u.data);
  VectorLengths::with(call.tuned<Vectors>().vector_length, [&]<int V>() {
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
      call.phase("rhs");
      residual(n, dt, flow.u.data, flow.f.data, flow.b.data);
      call.phase("x_solve");
      solve<0, V>(n, dt, state.blocks.data, flow.u.data, flow.b.data);
      call.phase("y_solve");
      solve<1, V>(n, dt, state.blocks.data, flow.u.data, flow.b.data);
      call.phase("z_solve");
      solve<2, V>(n, dt, state.blocks.data, flow.u.data, flow.b.data);
    }
  });
  call.phase("verify");
  flow.put_results(call);
  call.phase("");
}

std::int64_t scratch_doubles(std::int64_t n) { return scratch_arrays * (n - 2) * (n - 2) * (n - 2); }

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t n = points(problem);
  return AccFlow::bytes(n) + 8 * scratch_doubles(n);
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n)) return why_not;
  if (!made->blocks.allocate(scratch_doubles(n))) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_bt_openacc_lines() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a point a thread for the right sides, a line a thread for the systems";
  variant.tunables = tunables<Vectors>({{"vector_length", &Vectors::vector_length, VectorLengths::list()}});
  variant.launch = {.float64 = launch};
  variant.constraint = refuse_unnumbered;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return variant;
}

}  // namespace sextant
