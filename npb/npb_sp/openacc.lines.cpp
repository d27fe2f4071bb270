// A loop over points for the right sides; for the systems 16 neighbouring lines a gang, half of one of a line's systems a lane
// (half_lines.hpp): along y and z lanes read neighbours at the same time, along x a sector of the cache each. All loops of the steps
// are in one queue and map nothing, as what GCC maps for a region costs more than its launch (docs/openacc.md): what they need
// lies in `acc_steps`, a declared variable.
#include "half_lines.hpp"
#include "lines.hpp"
#include "problem.hpp"
#include "toolbox/openacc/npb_flow.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace npb_sp {

struct AccSteps {
  double *u, *b, *sound, *kept;
  const double* f;
  double dt;
  int n;
};
AccSteps acc_steps;
#pragma acc declare create(acc_steps)

}  // namespace npb_sp
namespace {

using namespace npb_sp;
using openacc::gangs_for;

struct State {
  AccFlow flow;
  openacc::Memory<double> sound, kept;
};

constexpr int queue = 1, length = 128;
constexpr int side_by_side = 16;                 // lines of a gang
constexpr int parts_of_gang = 6 * side_by_side;  // its lanes: two for each of a line's systems

void residual(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int n = acc_steps.n;
    const double dt = acc_steps.dt;
    const double *const u = acc_steps.u, *const f = acc_steps.f;
    double *const b = acc_steps.b, *const sound = acc_steps.sound;
#pragma acc loop gang vector collapse(3)
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
}

// The change of a gang's lines along z, when b has their unknowns.
SEXTANT_FLOW void change(const Grid& g, std::int64_t at, const double* sound, const double* b, double* u) {
  const Five w = load(u, g.size(), at);
  store(u, g.size(), at, sum(w, to_conserved(w, derived(w), sound[at], load(b, g.size(), at))));
}

// What a lane has: a half of one system of a line. Those of a warp have one system.
struct Part {
  int line, half, system;
  HalfLine where;
};
template <int axis>
SEXTANT_FLOW Part part_of(const Grid& g, int block, int lane, double* kept) {
  const auto inner = static_cast<int>(g.n) - 2;
  const int line = block * side_by_side + lane % side_by_side, half = lane / side_by_side % 2;
  return {line, half, lane / (2 * side_by_side),
          half_line<axis, side_by_side>(
              g, line % inner + 1, line / inner + 1, half,
              kept + std::int64_t{block} * (inner + 1) * kept_slots * side_by_side + lane % side_by_side)};
}

template <int axis>
void solve(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(parts_of_gang) async(queue)
  {
    const int inner = acc_steps.n - 2, lines = inner * inner;
#pragma acc loop gang
    for (int block = 0; block < (lines + side_by_side - 1) / side_by_side; ++block) {
#pragma acc loop vector
      for (int lane = 0; lane < parts_of_gang; ++lane) {
        const Grid g = dense_grid(acc_steps.n);
        const Part part = part_of<axis>(g, block, lane, acc_steps.kept);
        if (part.line >= lines) continue;
        const Line line(g.n, acc_steps.dt);
        const double *const u = acc_steps.u, *const sound = acc_steps.sound, *const b = acc_steps.b;
        if (part.system == 0)
          eliminate_half<axis, 3, side_by_side>(line, g.size(), part.where, 0, u, sound, b);
        else
          eliminate_half<axis, 1, side_by_side>(line, g.size(), part.where, part.system, u, sound, b);
      }
#pragma acc loop vector
      for (int lane = 0; lane < parts_of_gang; ++lane) {
        const Grid g = dense_grid(acc_steps.n);
        const Part part = part_of<axis>(g, block, lane, acc_steps.kept);
        if (part.line >= lines) continue;
        if (part.system == 0)
          substitute_half<3, side_by_side>(inner, g.size(), part.where, 0, acc_steps.b);
        else
          substitute_half<1, side_by_side>(inner, g.size(), part.where, part.system, acc_steps.b);
      }
      if (axis == 2) {
#pragma acc loop vector
        for (int i = 0; i < inner * side_by_side; ++i) {
          const int line = block * side_by_side + i % side_by_side, p = i / side_by_side + 1;
          const Grid g = dense_grid(acc_steps.n);
          if (line < lines)
            change(g, g.at(line % inner + 1, line / inner + 1, p), acc_steps.sound, acc_steps.b, acc_steps.u);
        }
      }
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
  acc_steps = {
      flow.u.data, flow.b.data, state.sound.data, state.kept.data, flow.f.data, time_step(call.problem), n};
  acc_update_device(&acc_steps,
                    sizeof acc_steps);  // GCC 12 leaves out `update device` of a declared variable
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    residual(gangs_for(lines * (n - 2), length));
    call.phase("x_solve");
    solve<0>(gangs_for(lines, side_by_side));
    call.phase("y_solve");
    solve<1>(gangs_for(lines, side_by_side));
    call.phase("z_solve");
    solve<2>(gangs_for(lines, side_by_side));
  }
  call.phase("verify");
#pragma acc wait(queue)
  flow.put_results(call);
  call.phase("");
}

std::int64_t kept_doubles(std::int64_t n) {
  const std::int64_t lines = (n - 2) * (n - 2);
  return (lines + side_by_side - 1) / side_by_side * side_by_side * (n - 1) * kept_slots;
}

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t n = points(problem);
  return AccFlow::bytes(n) + 8 * (n * n * n + kept_doubles(n));
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n)) return why_not;
  if (!made->sound.allocate(n * n * n) || !made->kept.allocate(kept_doubles(n)))
    return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_sp_openacc_lines() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a point a thread for the right sides, half of a system of a line a thread";
  variant.launch = {.float64 = launch};
  variant.constraint = refuse_unnumbered;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return variant;
}

}  // namespace sextant
