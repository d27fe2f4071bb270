// BT on the host: the residual row by row, then the lines in panels of neighbouring ones, each an element of vectors, whatever
// the axis. Right sides and eliminated blocks of a panel are in a worker's buffer. A panel of one line is the plain loop.
#pragma once

#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/packed.hpp"

namespace sextant::npb_bt {
namespace {

// At each place of a panel: eliminated block and right side.
template <typename V>
struct Eliminated {
  Block<V> above;
  Vector<V> right;
};

struct PanelState {
  HostFlow flow;
  Doubles buffers;
  std::int64_t buffer = 0;  // doubles of one
};

template <int lanes>
std::int64_t buffer_doubles(std::int64_t n) {
  return n * static_cast<std::int64_t>(sizeof(Eliminated<Packed<lanes>>) / sizeof(double)) + 8;
}

template <typename Loop, int lanes>
std::int64_t panel_workspace(const Problem& problem, const int*) {
  return host_flow_bytes(problem) + 8 * Loop::workers() * buffer_doubles<lanes>(points(problem));
}

template <typename Loop, int lanes>
const char* prepare_panels(const Call& call, void** state) {
  auto made = std::make_unique<PanelState>();
  if (const char* why_not = make_flow<Loop>(call.problem, &made->flow)) return why_not;
  made->buffer = (buffer_doubles<lanes>(points(call.problem)) + 7) / 8 * 8;
  made->buffers = allocate(Loop::workers() * made->buffer);
  if (!made->buffers) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

inline void release_panels(void* state) { delete static_cast<PanelState*>(state); }

// Where a panel's lines lie: place p of lane l at first + p * step + l * across.
struct Panel {
  std::int64_t first, step, across;
  int lines;  // that are there; the lanes beyond are copies of the last
};

// Lines along `axis` of plane `other`, from number `line` on.
template <int axis>
Panel panel_at(const Grid& g, std::int64_t other, std::int64_t line, std::int64_t lanes) {
  const auto lines = static_cast<int>(std::min(lanes, g.n - 1 - line));
  if (axis == 0) return {g.at(0, line, other), 1, g.pitch, lines};
  if (axis == 1) return {g.at(line, 0, other), g.pitch, 1, lines};
  return {g.at(line, other, 0), g.pitch * g.n, 1, lines};
}

template <int lanes>
void gather(const double* from, std::int64_t size, const Panel& panel, std::int64_t p,
            Vector<Packed<lanes>>& to) {
  for (int m = 0; m < components; ++m)
    for (int l = 0; l < lanes; ++l)
      set_lane(to[m], l,
               from[m * size + panel.first + p * panel.step + std::min(l, panel.lines - 1) * panel.across]);
}

template <int axis, int lanes>
void solve_panel(const Line& line, std::int64_t size, const Panel& panel, double* u, double* b,
                 Eliminated<Packed<lanes>>* rows) {
  using V = Packed<lanes>;
  Carried<V> carried;
  Vector<V> state;
  gather<lanes>(u, size, panel, 1, state);
  carried.here = point_of(state);
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    gather<lanes>(u, size, panel, p + 1, state);
    Vector<V> right;
    gather<lanes>(b, size, panel, p, right);
    eliminate_row<axis>(line, p == 1, p == line.n - 2, point_of(state), right, carried);
    for (int row = 0; row < components; ++row) {
      for (int column = 0; column < components; ++column)
        rows[p].above[row][column] = carried.above[row][column];
      rows[p].right[row] = right[row];
    }
  }
  for (std::int64_t p = line.n - 2; p >= 1; --p) {
    if (p < line.n - 2) substitute(rows[p].above, rows[p + 1].right, rows[p].right);
    for (int m = 0; m < components; ++m)
      for (int l = 0; l < panel.lines; ++l) {
        const std::int64_t at = m * size + panel.first + p * panel.step + l * panel.across;
        if (axis == 2)
          u[at] += lane_of(rows[p].right[m], l);
        else
          b[at] = lane_of(rows[p].right[m], l);
      }
  }
}

template <int axis, typename Loop, int lanes>
void solve_lines(const PanelState& state, double dt) {
  const Grid& g = state.flow.grid;
  const Line line(g.n, dt);
  const std::int64_t panels = (g.n - 2 + lanes - 1) / lanes;
  Loop::each(panels * (g.n - 2), [&](std::int64_t i, int worker) {
    auto* rows = reinterpret_cast<Eliminated<Packed<lanes>>*>(state.buffers.get() + worker * state.buffer);
    const Panel panel = panel_at<axis>(g, i / panels + 1, i % panels * lanes + 1, lanes);
    solve_panel<axis, lanes>(line, g.size(), panel, state.flow.u.get(), state.flow.b.get(), rows);
  });
}

template <typename Loop, int lanes>
void launch_panels(const Call& call) {
  auto& state = *static_cast<PanelState*>(call.state);
  const Grid& g = state.flow.grid;
  const double dt = time_step(call.problem);
  double *u = state.flow.u.get(), *b = state.flow.b.get();
  const double* f = state.flow.f.get();
  call.phase("reset");
  reset<Loop>(g, u);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    each_interior_row<Loop>(g.n,
                            [&](std::int64_t j, std::int64_t k, int) { residual_row(g, dt, u, f, j, k, b); });
    call.phase("x_solve");
    solve_lines<0, Loop, lanes>(state, dt);
    call.phase("y_solve");
    solve_lines<1, Loop, lanes>(state, dt);
    call.phase("z_solve");
    solve_lines<2, Loop, lanes>(state, dt);
  }
  call.phase("verify");
  put_results<Loop>(call, state.flow);
  call.phase("");
}

template <typename Loop, int lanes>
Variant panel_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = launch_panels<Loop, lanes>};
  variant.prepare = prepare_panels<Loop, lanes>;
  variant.release = release_panels;
  variant.workspace = panel_workspace<Loop, lanes>;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_bt
