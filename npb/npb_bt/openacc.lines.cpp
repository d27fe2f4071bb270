// Variant openacc.lines: one thread per point for the right-hand sides and one per line for the systems.
// Eliminated blocks are stored in memory. All loops run in one queue and map no data, because mapping costs
// more than a launch in GCC (docs/reference/openacc.md). Their parameters are in the device variable
// `acc_steps`.
#include "blocks.hpp"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/npb_flow.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace npb_bt {

struct AccSteps {
  double *u, *b, *blocks;
  const double* f;
  double dt;
  int n;
};
AccSteps acc_steps;
#pragma acc declare create(acc_steps)

}  // namespace npb_bt
namespace {

using namespace npb_bt;
using openacc::gangs_for;
using VectorLengths = Choices<32, 64, 128>;

struct Vectors {
  int vector_length = 64;  // threads per gang in the loops over lines
};

struct State {
  AccFlow flow;
  openacc::Memory<double> blocks;
};

constexpr int queue = 1, length = 128;

void residual(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int n = acc_steps.n;
    const double dt = acc_steps.dt;
    const double *const u = acc_steps.u, *const f = acc_steps.f;
    double* const b = acc_steps.b;
#pragma acc loop gang vector collapse(3)
    for (int k = 1; k < n - 1; ++k)
      for (int j = 1; j < n - 1; ++j)
        for (int i = 1; i < n - 1; ++i) {
          const Grid g = dense_grid(n);
          store(b, g.size(), g.at(i, j, k), times(dt, residual_at(g, u, f, i, j, k)));
        }
  }
}

template <int axis, int V>
void solve(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(V) async(queue)
  {
    const int n = acc_steps.n, inner = n - 2;
    const double dt = acc_steps.dt;
    double *const u = acc_steps.u, *const b = acc_steps.b, *const blocks = acc_steps.blocks;
#pragma acc loop gang vector
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
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const AccFlow& flow = state.flow;
  const auto n = static_cast<int>(points(call.problem));
  const std::int64_t lines = static_cast<std::int64_t>(n - 2) * (n - 2);
  call.phase("reset");
  set_start(n, flow.u.data);
  acc_steps = {flow.u.data, flow.b.data, state.blocks.data, flow.f.data, time_step(call.problem), n};
  acc_update_device(&acc_steps,
                    sizeof acc_steps);  // replaces the directive `update device`, which GCC 12 ignores here
  VectorLengths::with(call.tuned<Vectors>().vector_length, [&]<int V>() {
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
      call.phase("rhs");
      residual(gangs_for(lines * (n - 2), length));
      call.phase("x_solve");
      solve<0, V>(gangs_for(lines, V));
      call.phase("y_solve");
      solve<1, V>(gangs_for(lines, V));
      call.phase("z_solve");
      solve<2, V>(gangs_for(lines, V));
    }
  });
  call.phase("verify");
#pragma acc wait(queue)
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

std::vector<Variant> npb_bt_openacc_lines() {
  return {{.name = "lines",
           .description = "one thread per point for the right-hand sides, one per line for the systems",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Vectors>({{"vector_length", &Vectors::vector_length, VectorLengths::list()}}),
           .launch = {.float64 = launch},
           .constraint = refuse_unnumbered,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = workspace}};
}

}  // namespace sextant
