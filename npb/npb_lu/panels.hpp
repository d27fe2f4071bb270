// LU on the host. A sweep goes by tiles: `lanes` neighbouring rows of a plane, each a lane of vectors, a point behind the row
// before it. So what a row's points need of the row before is in the lane beside theirs, a step old, and what they need of
// the row itself in their own; a buffer holds what the next plane's same rows will need, and one what the next tile will. A
// tile of one row is the plain loop. What may run at the same time is up to `Order`:
//
//     struct Order {
//       using Loop = …;  // of residual, start and norms
//       Order(std::int64_t panels, std::int64_t planes);
//       // tile(panel, plane), panels from 0, planes from 1, after (panel - 1, plane) and (panel, plane - 1); tile (panel, plane)
//       // not before (panel + 1, plane - 2).
//       template <typename Tile> void each(const Tile& tile);
//     };
#pragma once

#include <cstring>
#include <utility>

#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/packed.hpp"

namespace sextant::npb_lu {
namespace {

// All on one thread.
struct InOrder {
  using Loop = PlainLoop;
  std::int64_t panels, planes;
  InOrder(std::int64_t panels_, std::int64_t planes_) : panels(panels_), planes(planes_) {}
  template <typename Tile>
  void each(const Tile& tile) const {
    for (std::int64_t plane = 1; plane <= planes; ++plane)
      for (std::int64_t panel = 0; panel < panels; ++panel) tile(panel, plane);
  }
};

// Tiles that wait for the same number of others at a time, and then the next.
template <typename LoopOfTiles>
struct Wavefronts {
  using Loop = LoopOfTiles;
  std::int64_t panels, planes;
  Wavefronts(std::int64_t panels_, std::int64_t planes_) : panels(panels_), planes(planes_) {}
  template <typename Tile>
  void each(const Tile& tile) const {
    for (std::int64_t front = 1; front < panels + planes; ++front) {
      const std::int64_t first = std::max<std::int64_t>(0, front - planes), end = std::min(panels, front);
      Loop::each(end - first, [&](std::int64_t i, int) { tile(first + i, front - first - i); });
    }
  }
};

inline std::int64_t panel_count(std::int64_t n, int lanes) { return (n - 2 + lanes - 1) / lanes; }
inline std::int64_t ahead_doubles(std::int64_t n, int lanes) { return components * lanes * (n - 2 + lanes); }
inline std::int64_t edge_doubles(std::int64_t n) { return components * n; }

template <typename Order>
struct PanelState {
  HostFlow flow;
  Order order;
  const int lanes;
  HostMemory<double> ahead;  // of each tile of a plane, step by step: what the next plane will need
  HostMemory<double>
      edges;  // between neighbouring panels, of even and odd planes, point by point; the first is zeros
  HostMemory<double> rows;  // of the integral

  PanelState(std::int64_t n, int lanes_) : order(panel_count(n, lanes_), n - 2), lanes(lanes_) {}
  double* ahead_of(std::int64_t panel) const {
    return ahead.get() + panel * ahead_doubles(flow.grid.n, lanes);
  }
  double* edge_of(std::int64_t panel, std::int64_t plane) const {
    return edges.get() + (2 * panel + plane % 2) * edge_doubles(flow.grid.n);
  }
};

inline std::int64_t panel_workspace(const Problem& problem, int lanes) {
  const std::int64_t n = points(problem), panels = panel_count(n, lanes);
  return host_flow_bytes(problem) +
         8 * (panels * ahead_doubles(n, lanes) + 2 * (panels + 1) * edge_doubles(n) + 3 * n);
}

template <typename Order, int lanes>
const char* prepare_panels(const Call& call, void** state) {
  const std::int64_t n = points(call.problem), panels = panel_count(n, lanes);
  auto made = std::make_unique<PanelState<Order>>(n, lanes);
  if (const char* why_not = make_flow<typename Order::Loop>(call.problem, &made->flow)) return why_not;
  const std::int64_t edges = 2 * (panels + 1) * edge_doubles(n);
  made->ahead = allocate_host<double>(panels * ahead_doubles(n, lanes));
  made->edges = allocate_host<double>(edges);
  made->rows = allocate_host<double>(3 * n);
  if (!made->ahead || !made->edges || !made->rows) return "host memory ran out";
  std::fill_n(made->edges.get(), edges, 0.0);
  *state = made.release();
  return nullptr;
}

template <typename Order>
void release_panels(void* state) {
  delete static_cast<PanelState<Order>*>(state);
}

template <typename V, int... l>
SEXTANT_FLOW void gather(const double* from, const std::int64_t* at, V& to,
                         std::integer_sequence<int, l...>) {
  to = V{from[at[l]]...};
}

// Lane l of the result is lane l - 1, and lane 0 `first`.
SEXTANT_FLOW void move_up(double& v, double first) { v = first; }
template <typename V>
SEXTANT_FLOW void move_up(V& v, double first) {
  constexpr std::size_t lanes = sizeof v / sizeof(double);
  if constexpr (lanes == 8)
    v = __builtin_shufflevector(v, v, 0, 0, 1, 2, 3, 4, 5, 6);
  else if constexpr (lanes == 4)
    v = __builtin_shufflevector(v, v, 0, 0, 1, 2);
  else
    v = __builtin_shufflevector(v, v, 0, 0);
  v[0] = first;
}

// Lanes' points in an order in which all three indices rise from 1: point (p, q, r) lies at origin + p x + q y + r z.
struct Direction {
  std::int64_t origin, x, y, z;
  Direction(const Grid& g, bool upper)
      : origin(upper ? g.at(g.n - 1, g.n - 1, g.n - 1) : g.at(0, 0, 0)),
        x(upper ? -1 : 1),
        y(upper ? -g.pitch : g.pitch),
        z(upper ? -g.pitch * g.n : g.pitch * g.n) {}
};

// One tile of a sweep: changes v, or in the upper one the state, whose own sweep asks nobody else's.
template <bool upper, typename State, int lanes>
void sweep_tile(const State& state, const Weights& w, std::int64_t panel, std::int64_t plane) {
  using V = Packed<lanes>;
  const Grid& g = state.flow.grid;
  const std::int64_t inner = g.n - 2, size = g.size(), first_row = 1 + panel * lanes;
  const auto lines = static_cast<int>(std::min<std::int64_t>(lanes, inner + 1 - first_row));
  const Direction d(g, upper);
  double *u = state.flow.u.get(), *v = state.flow.b.get();
  double* ahead = state.ahead_of(panel);
  const double* from_before = state.edge_of(panel, plane);
  double* to_next = state.edge_of(panel + 1, plane);
  V along_x[components], along_y[components], along_z[components];
  for (int m = 0; m < components; ++m) along_x[m] = V{}, along_y[m] = V{};
  for (std::int64_t s = 1; s < inner + lanes; ++s, ahead += components * lanes) {
    std::int64_t at[lanes];
    for (int l = 0; l < lanes; ++l)  // lanes that have no point repeat one
      at[l] = d.origin + d.x * std::clamp<std::int64_t>(s - l, 1, inner) +
              d.y * (first_row + std::min(l, lines - 1)) + d.z * plane;
    V here[components], value[components], sum[components];
    for (int m = 0; m < components; ++m) {
      gather(u + m * size, at, here[m], std::make_integer_sequence<int, lanes>());
      gather(v + m * size, at, value[m], std::make_integer_sequence<int, lanes>());
    }
    const bool row_goes_on = s <= inner;
    for (int m = 0; m < components; ++m) {
      move_up(along_y[m], row_goes_on ? from_before[components * s + m] : 0.0);
      sum[m] = along_x[m] + along_y[m];
      if (plane == 1) continue;
      std::memcpy(&along_z[m], ahead + m * lanes, sizeof(V));
      sum[m] = sum[m] + along_z[m];
    }
    const Point<V> point = point_of(here);
    relax<upper>(w, own_of(w, point), sum, value);
    for (int l = static_cast<int>(s); l < lanes; ++l)  // rows that have not begun
      for (int m = 0; m < components; ++m) set_lane(value[m], l, 0.0);
    constexpr int sign = upper ? 1 : -1;
    product<0, sign>(w, point, value, along_x);
    product<1, sign>(w, point, value, along_y);
    product<2, sign>(w, point, value, along_z);
    for (int m = 0; m < components; ++m) std::memcpy(ahead + m * lanes, &along_z[m], sizeof(V));
    if (s >= lanes)
      for (int m = 0; m < components; ++m)
        to_next[components * (s - lanes + 1) + m] = lane_of(along_y[m], lanes - 1);
    const auto put = [&](int l) __attribute__((always_inline)) {
      for (int m = 0; m < components; ++m) {
        if (upper)
          u[m * size + at[l]] = lane_of(here[m], l) + step_factor * lane_of(value[m], l);
        else
          v[m * size + at[l]] = lane_of(value[m], l);
      }
    };
    if (s >= lanes && row_goes_on && lines == lanes)
      for (int l = 0; l < lanes; ++l) put(l);
    else
      for (int l = 0; l < lines; ++l)
        if (s - l >= 1 && s - l <= inner) put(l);
  }
}

template <bool upper, int lanes, typename State>
void sweep(State& state, double dt) {
  const Weights w(state.flow.grid.n, dt);
  state.order.each([&](std::int64_t panel, std::int64_t plane) {
    sweep_tile<upper, State, lanes>(state, w, panel, plane);
  });
}

template <typename Loop>
double integral_of(const HostFlow& flow, double* rows) {
  const Grid& g = flow.grid;
  Loop::each(3 * g.n, [&](std::int64_t row, int) { rows[row] = integral_row(g, flow.u.get(), row); });
  double sum = 0;
  for (std::int64_t row = 0; row < 3 * g.n; ++row) sum += rows[row];
  return integral_factor(g.n) * sum;
}

template <typename Order, int lanes>
void launch_panels(const Call& call) {
  using Loop = typename Order::Loop;
  auto& state = *static_cast<PanelState<Order>*>(call.state);
  const Grid& g = state.flow.grid;
  const double dt = time_step(call.problem);
  double *u = state.flow.u.get(), *v = state.flow.b.get();
  const double* f = state.flow.f.get();
  call.phase("reset");
  reset<Loop>(g, u);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    each_interior_row<Loop>(g.n,
                            [&](std::int64_t j, std::int64_t k, int) { residual_row(g, dt, u, f, j, k, v); });
    call.phase("lower");
    sweep<false, lanes>(state, dt);
    call.phase("upper");
    sweep<true, lanes>(state, dt);
  }
  call.phase("verify");
  put_results<Loop>(call, state.flow);
  call.array<double>(norms)[norm_count] = integral_of<Loop>(state.flow, state.rows.get());
  call.phase("");
}

template <typename Order, int lanes>
Variant panel_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = launch_panels<Order, lanes>};
  variant.prepare = prepare_panels<Order, lanes>;
  variant.release = release_panels<Order>;
  variant.workspace = [](const Problem& problem, const int*) { return panel_workspace(problem, lanes); };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_lu
