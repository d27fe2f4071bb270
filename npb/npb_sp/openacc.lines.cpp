// Variant openacc.lines: one thread per point for the right-hand sides. For the systems a gang takes 16
// adjacent lines, and a lane solves half of one system. All loops run in one queue and map no data, because
// mapping costs more than a launch in GCC (docs/reference/openacc.md). Their parameters are in the device
// variable `acc_steps`.
#include "lines.hpp"
#include "middle.hpp"
#include "problem.hpp"
#include "toolbox/openacc/npb_flow.hpp"
#include "toolbox/openacc/pack.hpp"

// Solves each system with two threads, from the line's ends to its middle. The threads exchange data only
// through global memory, where they store the eliminated rows. Between elimination and substitution all
// threads of a line synchronize.
namespace sextant::npb_sp {

// Number of stored values per row: its right-hand sides, and two factors of each system. The values of L
// lines are interleaved.
inline constexpr int of_factors = components, kept_slots = components + 6;

// One half of a line. Row k, counted from the half's end of the line, is point `at` + k * step. `kept` points
// to slot 0 of the half's row 1.
struct HalfLine {
  std::int64_t count, most;  // count: rows; most: rows of the line's longer half
  std::int64_t at, step;
  double direction;  // 1, or -1 if the half goes against the line's order
  double *kept, *others;
};

// Returns a half of one of L lines. The first half has one row more if their number is odd. `kept` must have
// memory for both halves of each line.
template <int axis, int L>
SEXTANT_FLOW HalfLine half_line(const Grid& g, int near, int other, int half, double* kept) {
  const std::int64_t inner = g.n - 2, longer = (inner + 1) / 2;
  const std::int64_t step = g.step<axis>(), start = axis == 0   ? g.at(0, near, other)
                                                    : axis == 1 ? g.at(near, 0, other)
                                                                : g.at(near, other, 0);
  double* const second = kept + longer * kept_slots * L;
  if (half == 0) return {longer, longer, start, step, 1, kept, second};
  return {inner - longer, longer, start + (g.n - 1) * step, -step, -1, second, kept};
}

// Coefficients of a point in the previous row, in the next row in its half's direction, and in its own row.
struct Added {
  double before, next, spread;
};
template <int axis>
SEXTANT_FLOW Added added(const Line& line, std::int64_t size, const HalfLine& half, std::int64_t k,
                         double sign, const double* u, const double* sound) {
  const Terms t = stored_terms<axis>(line, size, half.at + k * half.step, u, sound);
  const double along = half.direction * (t.along + sign * t.sound);
  return {along - t.spread, -along - t.spread, t.spread};
}

// Loads the right-hand sides of one system in the characteristic variables of an axis. Right-hand sides 0 to
// 2 share the first matrix; each of the others has its own.
template <int axis, int rights>
SEXTANT_FLOW void rights_at(std::int64_t size, std::int64_t at, int system, const double* b, double* right) {
  const Five all = on_axis<axis>(load(b, size, at));
  if constexpr (rights == 3)
    right[0] = all.r, right[1] = all.x, right[2] = all.y;
  else
    right[0] = system == 1 ? all.z : all.e;
}
SEXTANT_FLOW int first_right(int system) { return system == 0 ? 0 : 2 + system; }
SEXTANT_FLOW double sign_of(int system) { return system == 0 ? 0 : system == 1 ? 1 : -1; }

// Eliminates a half from its end of the line to its last row in the middle. A thread loads several points
// before it uses the first.
template <int axis, int rights, int L>
SEXTANT_FLOW void eliminate_half(const Line& line, std::int64_t size, const HalfLine& half, int system,
                                 const double* u, const double* sound, const double* b) {
  const double sign = sign_of(system);
  double* const right_slots = half.kept + first_right(system) * L;
  double* const factor_slots = half.kept + (of_factors + 2 * system) * L;
  Rows rows = {};
  double one[rights] = {}, two[rights] = {}, behind = 0;
  Added here = added<axis>(line, size, half, 1, sign, u, sound);
  for (std::int64_t first = 1; first <= half.most; first += places_together) {
    double right[places_together][rights];
    Added ahead[places_together];
    SEXTANT_FLOW_UNROLL
    for (int i = 0; i < places_together; ++i) {
      const std::int64_t k = first + i < half.count ? first + i : half.count;
      rights_at<axis, rights>(size, half.at + k * half.step, system, b, right[i]);
      ahead[i] = added<axis>(line, size, half, k + 1, sign, u, sound);
    }
    SEXTANT_FLOW_UNROLL
    for (int i = 0; i < places_together; ++i) {
      const std::int64_t k = first + i, slot = (k - 1) * kept_slots * L;
      if (k > half.count) continue;
      Row row;
      const Step step =
          eliminate(row_at(line, k, behind, here.spread, ahead[i].before), rows.two, rows.one, &row);
      rows = {rows.one, row};
      factor_slots[slot] = row.next, factor_slots[slot + L] = row.second;
      SEXTANT_FLOW_UNROLL
      for (int m = 0; m < rights; ++m) {
        const double y = eliminated(step, right[i][m], two[m], one[m]);
        two[m] = one[m], one[m] = y;
        right_slots[slot + m * L] = y;
      }
      behind = here.next;
      here = ahead[i];
    }
  }
}

// Returns a half's last two eliminated rows. If it has only one row, the missing row is zero.
template <int L>
SEXTANT_FLOW Rows last_rows(const double* kept, std::int64_t count, int system) {
  const double* const slots = kept + ((count - 1) * kept_slots + of_factors + 2 * system) * L;
  Rows rows = {{}, {slots[0], slots[L]}};
  if (count > 1) rows.two = {slots[-kept_slots * L], slots[(1 - kept_slots) * L]};
  return rows;
}

// Computes the unknowns of a half and stores them in b. Both halves must be eliminated.
template <int rights, int L>
SEXTANT_FLOW void substitute_half(std::int64_t inner, std::int64_t size, const HalfLine& half, int system,
                                  double* b) {
  const std::int64_t of_others = inner - half.count;
  const Rows rows = last_rows<L>(half.kept, half.count, system),
             others = last_rows<L>(half.others, of_others, system);
  const Middle middle(both_of(rows), both_of(others));
  const double* const right_slots = half.kept + first_right(system) * L;
  const double* const others_slots = half.others + first_right(system) * L;
  double* const to = b + first_right(system) * size;
  double one[rights], two[rights];
  SEXTANT_FLOW_UNROLL
  for (int m = 0; m < rights; ++m) {
    const double* const y = right_slots + (half.count - 1) * kept_slots * L + m * L;
    const double* const z = others_slots + (of_others - 1) * kept_slots * L + m * L;
    const Middle::Two u =
        middle.unknowns({half.count > 1 ? y[-kept_slots * L] - rows.two.next * *y : 0, *y},
                        {of_others > 1 ? z[-kept_slots * L] - others.two.next * *z : 0, *z});
    two[m] = u.second, one[m] = u.first;
    to[m * size + half.at + half.count * half.step] = u.second;
    if (half.count > 1) to[m * size + half.at + (half.count - 1) * half.step] = u.first;
  }
  for (std::int64_t first = half.most - 2; first >= 1; first -= places_together) {
    double right[places_together][rights], factors[places_together][2];
    SEXTANT_FLOW_UNROLL
    for (int i = 0; i < places_together; ++i) {
      const std::int64_t k = first - i > 1 ? first - i : 1, slot = (k - 1) * kept_slots * L;
      const double* const f = half.kept + (of_factors + 2 * system) * L + slot;
      factors[i][0] = f[0], factors[i][1] = f[L];
      SEXTANT_FLOW_UNROLL
      for (int m = 0; m < rights; ++m) right[i][m] = right_slots[slot + m * L];
    }
    SEXTANT_FLOW_UNROLL
    for (int i = 0; i < places_together; ++i) {
      const std::int64_t k = first - i;
      if (k < 1 || k > half.count - 2) continue;
      SEXTANT_FLOW_UNROLL
      for (int m = 0; m < rights; ++m) {
        const double x = right[i][m] - factors[i][0] * one[m] - factors[i][1] * two[m];
        two[m] = one[m], one[m] = x;
        to[m * size + half.at + k * half.step] = x;
      }
    }
  }
}

}  // namespace sextant::npb_sp

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
constexpr int side_by_side = 16;  // adjacent lines per gang
// Lanes per gang: two for each of a line's three systems.
constexpr int parts_of_gang = 6 * side_by_side;

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

// Updates the flow state at a point of a line along z. b must contain the solution.
SEXTANT_FLOW void change(const Grid& g, std::int64_t at, const double* sound, const double* b, double* u) {
  const Five w = load(u, g.size(), at);
  store(u, g.size(), at, sum(w, to_conserved(w, derived(w), sound[at], load(b, g.size(), at))));
}

// The work of a lane: one half of one system of a line. All lanes of a warp have the same system.
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
                    sizeof acc_steps);  // replaces the directive `update device`, which GCC 12 ignores here
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

std::vector<Variant> npb_sp_openacc_lines() {
  return {{.name = "lines",
           .description = "one thread per point for the right-hand sides, two threads per system of a line",
           .memory_space = MemorySpace::openacc,
           .launch = {.float64 = launch},
           .constraint = refuse_unnumbered,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = workspace}};
}

}  // namespace sextant
