// The NAS benchmarks SP and BT on the host, vectorized across grid lines. The right-hand sides are computed
// first. Then the equations along each axis are solved for panels of `lanes` neighbouring grid lines, one
// line per vector lane. `Program` defines the differences between SP and BT:
//
//     struct Program {
//       using Line = …;  // Line(points per line, time step)
//       static double time_step(const Problem& problem);
//       template <int lanes> static std::int64_t buffer_doubles(std::int64_t n);  // doubles per worker
//       // Solves a panel: right-hand sides in b become solutions; along z, u becomes the new state.
//       template <int axis, int lanes>
//       static void solve(const Line& line, const Grid& g, const Panel& panel, double* u, double* b,
//                         double* buffer);
//     };
#pragma once

#include "toolbox/npb_flow/residual.hpp"

namespace sextant::npb::flow {
namespace {

// Memory layout of a panel: point p of line l is at index first + p * step + l * across.
struct Panel {
  std::int64_t first, step, across;
  int lines;  // number of lines; if it is less than `lanes`, the remaining lanes duplicate the last line
};

// Returns the panel of lines along `axis` in plane `other`, starting with line `line`.
template <int axis>
Panel panel_at(const Grid& g, std::int64_t other, std::int64_t line, std::int64_t lanes) {
  const auto lines = static_cast<int>(std::min(lanes, g.n - 1 - line));
  if (axis == 0) return {g.at(0, line, other), 1, g.pitch, lines};
  if (axis == 1) return {g.at(line, 0, other), g.pitch, 1, lines};
  return {g.at(line, other, 0), g.pitch * g.n, 1, lines};
}

struct PanelState {
  HostFlow flow;
  HostMemory<double> buffers;
  std::int64_t buffer = 0;  // number of doubles per worker, rounded up to whole cache lines
};

template <typename Program, int lanes>
std::int64_t buffer_of(std::int64_t n) {
  return (Program::template buffer_doubles<lanes>(n) + 7) / 8 * 8;
}

// True if panels compute their right-hand sides just before they are solved along x. Otherwise all right-hand
// sides are computed beforehand.
template <int lanes>
constexpr bool own_right_sides = lanes > 1;

template <int axis, typename Program, typename Loop, int lanes>
void solve_lines(const PanelState& state, double dt) {
  const Grid& g = state.flow.grid;
  const typename Program::Line line(g.n, dt);
  const std::int64_t panels = (g.n - 2 + lanes - 1) / lanes;
  double *u = state.flow.u.get(), *b = state.flow.b.get();
  Loop::each(panels * (g.n - 2), [&](std::int64_t i, int worker) {
    const std::int64_t other = i / panels + 1, first = i % panels * lanes + 1;
    const Panel panel = panel_at<axis>(g, other, first, lanes);
    if constexpr (axis == 0 && own_right_sides<lanes>)
      for (std::int64_t j = first; j < first + panel.lines; ++j)
        residual_in_vectors(g, dt, u, state.flow.f.get(), j, other, b);
    Program::template solve<axis, lanes>(line, g, panel, u, b, state.buffers.get() + worker * state.buffer);
  });
}

template <typename Program, typename Loop, int lanes>
void launch_panels(const Call& call) {
  auto& state = *static_cast<PanelState*>(call.state);
  const Grid& g = state.flow.grid;
  const double dt = Program::time_step(call.problem);
  call.phase("reset");
  reset<Loop>(g, state.flow.u.get());
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    if constexpr (!own_right_sides<lanes>) {
      call.phase("rhs");
      each_interior_row<Loop>(g.n, [&](std::int64_t j, std::int64_t k, int) {
        residual_row(g, dt, state.flow.u.get(), state.flow.f.get(), j, k, state.flow.b.get());
      });
    }
    call.phase("x_solve");
    solve_lines<0, Program, Loop, lanes>(state, dt);
    call.phase("y_solve");
    solve_lines<1, Program, Loop, lanes>(state, dt);
    call.phase("z_solve");
    solve_lines<2, Program, Loop, lanes>(state, dt);
  }
  call.phase("verify");
  put_results<Loop>(call, state.flow);
  call.phase("");
}

template <typename Program, typename Loop, int lanes>
const char* prepare_panels(const Call& call, void** state) {
  auto made = std::make_unique<PanelState>();
  if (const char* why_not = make_flow<Loop>(call.problem, &made->flow)) return why_not;
  made->buffer = buffer_of<Program, lanes>(points(call.problem));
  made->buffers = allocate_host<double>(Loop::workers() * made->buffer);
  if (!made->buffers) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

template <typename Program, typename Loop, int lanes>
Variant panel_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = launch_panels<Program, Loop, lanes>};
  variant.prepare = prepare_panels<Program, Loop, lanes>;
  variant.release = [](void* state) { delete static_cast<PanelState*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return host_flow_bytes(problem) + 8 * Loop::workers() * buffer_of<Program, lanes>(points(problem));
  };
  return variant;
}

}  // namespace
}  // namespace sextant::npb::flow
