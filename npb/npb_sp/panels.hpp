// SP on the host: the residual row by row, then the lines in panels of neighbouring ones, which are copied to a worker's
// buffer, a place of all lines after the other, so that vectors go across lines whatever the axis. A panel of one line
// is the plain loop.
#pragma once

#include "lines.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/host.hpp"

namespace sextant::npb_sp {
namespace {

// At each place of a panel, `lanes` of each: five right sides, the matrix's terms, two factors of each system.
enum Slot : int { right = 0, along = 5, sound = 6, spread = 7, factors = 8, slots = 14 };

struct PanelState {
  HostFlow flow;
  Doubles buffers;
  std::int64_t buffer = 0;  // doubles of one
};

constexpr std::int64_t buffer_doubles(std::int64_t n, int lanes) { return n * slots * lanes; }

template <typename Loop, int lanes>
std::int64_t panel_workspace(const Problem& problem, const int*) {
  return host_flow_bytes(problem) + 8 * Loop::workers() * buffer_doubles(points(problem), lanes);
}

template <typename Loop, int lanes>
const char* prepare_panels(const Call& call, void** state) {
  auto made = std::make_unique<PanelState>();
  if (const char* why_not = make_flow<Loop>(call.problem, &made->flow)) return why_not;
  made->buffer = buffer_doubles(points(call.problem), lanes);
  made->buffers = allocate(Loop::workers() * made->buffer);
  if (!made->buffers) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

inline void release_panels(void* state) { delete static_cast<PanelState*>(state); }

// Solves all systems of a panel in its buffer; those of right sides 0 to 2 have one matrix.
template <int lanes>
void solve_panel(const Line& line, double* buffer) {
  const std::int64_t n = line.n;
  const auto slot = [&](std::int64_t p, int which) { return buffer + (p * slots + which) * lanes; };
  for (std::int64_t p = 1; p < n - 1; ++p) {
    double *here = slot(p, 0), *below = slot(p - 1, 0), *above = slot(p + 1, 0);
    double* two = p > 1 ? slot(p - 2, 0) : below;  // rows 0 and -1 are zeros alike
#pragma omp simd
    for (int l = 0; l < lanes; ++l) {
      const double g = here[spread * lanes + l];
      const double va = below[along * lanes + l], ca = below[sound * lanes + l],
                   ga = below[spread * lanes + l];
      const double vb = above[along * lanes + l], cb = above[sound * lanes + l],
                   gb = above[spread * lanes + l];
#pragma GCC unroll 3
      for (int system = 0; system < 3; ++system) {
        const double sign = system == 0 ? 0 : system == 1 ? 1 : -1;
        const Coefficients c = row_at(line, p, -(va + sign * ca) - ga, g, vb + sign * cb - gb);
        const int at = factors + 2 * system;
        Row row;
        const Step step = eliminate(c, {two[at * lanes + l], two[(at + 1) * lanes + l]},
                                    {below[at * lanes + l], below[(at + 1) * lanes + l]}, &row);
        here[at * lanes + l] = row.next;
        here[(at + 1) * lanes + l] = row.second;
        const int first = system == 0 ? 0 : 2 + system, last = system == 0 ? 3 : 3 + system;
#pragma GCC unroll 3
        for (int m = first; m < last; ++m)
          here[m * lanes + l] =
              eliminated(step, here[m * lanes + l], two[m * lanes + l], below[m * lanes + l]);
      }
    }
  }
  for (std::int64_t p = n - 3; p >= 1; --p) {
    double *here = slot(p, 0), *one = slot(p + 1, 0), *two = slot(p + 2, 0);
#pragma omp simd
    for (int l = 0; l < lanes; ++l) {
#pragma GCC unroll 5
      for (int m = 0; m < components; ++m) {
        const int at = factors + 2 * (m < 3 ? 0 : m - 2);
        here[m * lanes + l] -=
            here[at * lanes + l] * one[m * lanes + l] + here[(at + 1) * lanes + l] * two[m * lanes + l];
      }
    }
  }
}

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

template <int axis, int lanes>
void load_panel(const Line& line, const Grid& g, const Panel& panel, const double* u, const double* b,
                double* buffer) {
  const std::int64_t size = g.size();
  for (const std::int64_t p : {std::int64_t{0}, line.n - 1})
    std::fill_n(buffer + p * slots * lanes, slots * lanes, 0.0);
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    double* here = buffer + p * slots * lanes;
#pragma omp simd
    for (int l = 0; l < lanes; ++l) {
      const std::int64_t at =
          panel.first + p * panel.step + (l < panel.lines ? l : panel.lines - 1) * panel.across;
      const Five w = load(u, size, at), r = load(b, size, at);
      const Derived d = derived(w);
      const double c = sound_speed(w, d);
      const Terms terms = terms_of<axis>(line, d.inverse, velocity<axis>(d), c);
      const Five start = axis == 0 ? to_characteristics(d, c, r) : axis == 1 ? x_to_y(r) : y_to_z(r);
      here[0 * lanes + l] = start.r;
      here[1 * lanes + l] = start.x;
      here[2 * lanes + l] = start.y;
      here[3 * lanes + l] = start.z;
      here[4 * lanes + l] = start.e;
      here[along * lanes + l] = terms.along;
      here[sound * lanes + l] = terms.sound;
      here[spread * lanes + l] = terms.spread;
    }
  }
}

// Writes b, or what lines along z make of it: the new u.
template <int axis, int lanes>
void store_panel(const Line& line, const Grid& g, const Panel& panel, const double* buffer, double* u,
                 double* b) {
  const std::int64_t size = g.size();
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    const double* here = buffer + p * slots * lanes;
    for (int l = 0; l < panel.lines; ++l) {
      const std::int64_t at = panel.first + p * panel.step + l * panel.across;
      const Five r = {here[l], here[lanes + l], here[2 * lanes + l], here[3 * lanes + l],
                      here[4 * lanes + l]};
      if constexpr (axis == 2) {
        const Five w = load(u, size, at);
        const Derived d = derived(w);
        store(u, size, at, sum(w, to_conserved(w, d, sound_speed(w, d), r)));
      } else {
        store(b, size, at, r);
      }
    }
  }
}

template <int axis, typename Loop, int lanes>
void solve_lines(const PanelState& state, double dt) {
  const Grid& g = state.flow.grid;
  const Line line(g.n, dt);
  const std::int64_t panels = (g.n - 2 + lanes - 1) / lanes;
  Loop::each(panels * (g.n - 2), [&](std::int64_t i, int worker) {
    double* buffer = state.buffers.get() + worker * state.buffer;
    const Panel panel = panel_at<axis>(g, i / panels + 1, i % panels * lanes + 1, lanes);
    load_panel<axis, lanes>(line, g, panel, state.flow.u.get(), state.flow.b.get(), buffer);
    solve_panel<lanes>(line, buffer);
    store_panel<axis, lanes>(line, g, panel, buffer, state.flow.u.get(), state.flow.b.get());
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
}  // namespace sextant::npb_sp
