// NAS LU on the host by tiles of adjacent rows of adjacent planes, one row per SIMD lane. Each row is one
// point behind its predecessors in y and z, so the products that a point needs were computed one step
// earlier. One buffer passes products to the next layer of planes, another one to the next panel of rows. A
// tile of one row gives the plain loop. `Order` decides which tiles run concurrently:
//
//     struct Order {
//       using Loop = …;  // loops over residual, start and norms
//       static constexpr bool calls_ahead = …;
//       Order(std::int64_t panels, std::int64_t layers, std::int64_t steps);
//       template <typename Tile> void each(const Tile& tile);
//     };
//
// If `calls_ahead` is true, tiles prefetch their data, which may be in the caches of other cores. `steps` is
// the number of steps for which a tile passes products on. `each` must call tile(panel, layer, before, done)
// for panels from 0 and layers from 1. Tile (panel, layer) must follow (panel, layer - 1) and (panel + 1,
// layer - edge_layers). The tile calls before(s) before it needs the products of (panel - 1, layer) for steps
// up to s. It calls done(s) when its own products up to step s are stored for the next panel.
#pragma once

#include <cstring>
#include <utility>

#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/residual.hpp"

namespace sextant::npb_lu {
namespace {

// Used as `before` and `done` if all predecessors of a tile have finished before it begins.
constexpr auto no_wait = [](std::int64_t) {};

// An order in which one thread processes all tiles.
struct InOrder {
  using Loop = PlainLoop;
  static constexpr bool calls_ahead = false;
  std::int64_t panels, layers;
  InOrder(std::int64_t panels_, std::int64_t layers_, std::int64_t) : panels(panels_), layers(layers_) {}
  template <typename Tile>
  void each(const Tile& tile) const {
    for (std::int64_t layer = 1; layer <= layers; ++layer)
      for (std::int64_t panel = 0; panel < panels; ++panel) tile(panel, layer, no_wait, no_wait);
  }
};

// Wavefront order: the tiles of one anti-diagonal (equal panel + layer) run in parallel, then those of the
// next.
template <typename LoopOfTiles>
struct Wavefronts {
  using Loop = LoopOfTiles;
  static constexpr bool calls_ahead = false;
  std::int64_t panels, layers;
  Wavefronts(std::int64_t panels_, std::int64_t layers_, std::int64_t) : panels(panels_), layers(layers_) {}
  template <typename Tile>
  void each(const Tile& tile) const {
    for (std::int64_t front = 1; front < panels + layers; ++front) {
      const std::int64_t first = std::max<std::int64_t>(0, front - layers), end = std::min(panels, front);
      Loop::each(end - first,
                 [&](std::int64_t i, int) { tile(first + i, front - first - i, no_wait, no_wait); });
    }
  }
};

// Steps whose products are passed to the next panel together; a multiple of the SIMD lanes.
constexpr std::int64_t steps_handed_together = 8;

// Maximum number of layers by which a panel may be ahead of the next panel.
constexpr std::int64_t edge_layers = 4;

constexpr std::int64_t line_doubles = 8;  // doubles in a cache line

// Size of a tile: `rows` adjacent rows in each of `planes` adjacent planes. Its number of steps is a row's
// number of points plus the delay of its last lane.
struct TileShape {
  int rows, planes;
  std::int64_t panels(std::int64_t n) const { return (n - 2 + rows - 1) / rows; }
  std::int64_t layers(std::int64_t n) const { return (n - 2 + planes - 1) / planes; }
  // Returns the padding in elements that places v and f in other cache sets than u.
  std::int64_t apart() const { return rows * planes > 1 ? 17 * line_doubles : 0; }
  // Return the number of doubles that a tile stores: for the next layer of planes (ahead) and for the next
  // panel of rows (edge).
  std::int64_t ahead_doubles(std::int64_t n) const { return components * rows * (n - 2 + rows); }
  std::int64_t edge_doubles(std::int64_t n) const {
    return (components * planes * (n - 1 + planes) + line_doubles - 1) / line_doubles * line_doubles;
  }
};

template <typename Order>
struct PanelState {
  HostFlow flow;
  Order order;
  const TileShape shape;
  HostMemory<double> ahead;  // products for the next layer, for each panel, step by step
  // Products between adjacent panels for the last edge_layers layers (ring buffer); zeros before panel 0.
  HostMemory<double> edges;
  HostMemory<double> rows;  // integral of each row

  PanelState(std::int64_t n, TileShape shape_)
      : order(shape_.panels(n), shape_.layers(n), n + shape_.planes - 3), shape(shape_) {}
  double* ahead_of(std::int64_t panel) const {
    return ahead.get() + panel * shape.ahead_doubles(flow.grid.n);
  }
  double* edge_of(std::int64_t panel, std::int64_t layer) const {
    return edges.get() + (edge_layers * panel + layer % edge_layers) * shape.edge_doubles(flow.grid.n);
  }
};

inline std::int64_t panel_workspace(const Problem& problem, TileShape shape) {
  const std::int64_t n = points(problem), panels = shape.panels(n);
  return host_flow_bytes(problem) + 8 * (3 * shape.apart() + panels * shape.ahead_doubles(n) +
                                         edge_layers * (panels + 1) * shape.edge_doubles(n) + 3 * n);
}

template <typename Order>
const char* prepare_panels(const Call& call, TileShape shape, void** state) {
  const std::int64_t n = points(call.problem), panels = shape.panels(n);
  auto made = std::make_unique<PanelState<Order>>(n, shape);
  if (const char* why_not = make_flow<typename Order::Loop>(call.problem, &made->flow, shape.apart()))
    return why_not;
  const std::int64_t edges = edge_layers * (panels + 1) * shape.edge_doubles(n);
  made->ahead = allocate_host<double>(panels * shape.ahead_doubles(n));
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

template <int half, typename V, int... e>
SEXTANT_FLOW void exchange_halves(V& a, V& b, std::integer_sequence<int, e...>) {
  constexpr int lanes = sizeof...(e);
  const V low = __builtin_shufflevector(a, b, (e & half ? lanes + e - half : e)...);
  b = __builtin_shufflevector(a, b, (e & half ? lanes + e : e + half)...);
  a = low;
}
// Transposes a square matrix of `lanes` rows.
SEXTANT_FLOW void transpose(double (&)[1]) {}
template <int lanes, typename V, int half = lanes / 2>
SEXTANT_FLOW void transpose(V (&rows)[lanes]) {
  SEXTANT_FLOW_UNROLL
  for (int r = 0; r < lanes; ++r)
    if (!(r & half)) exchange_halves<half>(rows[r], rows[r + half], std::make_integer_sequence<int, lanes>());
  if constexpr (half > 1) transpose<lanes, V, half / 2>(rows);
}

// Returns a vector of `lanes` doubles that begins with the elements of v. It doubles the width step by step,
// because GCC would otherwise store and load the vector.
template <int... l, typename V>
SEXTANT_FLOW Packed<sizeof...(l)> twice_as_wide(const V& v, std::integer_sequence<int, l...>) {
  return __builtin_shufflevector(v, v, (l < static_cast<int>(sizeof...(l)) / 2 ? l : -1)...);
}
template <int lanes, typename V>
SEXTANT_FLOW Packed<lanes> widened(const V& v) {
  constexpr int here = sizeof v / sizeof(double);
  if constexpr (here == lanes)
    return v;
  else
    return widened<lanes>(twice_as_wide(v, std::make_integer_sequence<int, 2 * here>()));
}
template <int... l>
SEXTANT_FLOW Packed<sizeof...(l)> repeated(double x, std::integer_sequence<int, l...>) {
  return Packed<sizeof...(l)>{(static_cast<void>(l), x)...};
}

// Gives each SIMD lane the value of the lane with the previous row. Lane l of a tile is row l % rows of plane
// l / rows. The first rows get `first`, one double per plane.
template <int rows>
SEXTANT_FLOW void from_row_before(double& v, const double* first) {
  v = *first;
}
template <int rows, typename V, int... l>
SEXTANT_FLOW void from_row_before(V& v, const double* first, std::integer_sequence<int, l...> all) {
  constexpr int lanes = sizeof...(l), planes = lanes / rows;
  V edge;
  if constexpr (planes == 1) {
    edge = repeated(*first, all);
  } else {
    Packed<planes> loaded;
    std::memcpy(&loaded, first, sizeof loaded);
    edge = widened<lanes>(loaded);
  }
  v = __builtin_shufflevector(edge, v, (l % rows == 0 ? l / rows : lanes + l - 1)...);
}
template <int rows, typename V>
SEXTANT_FLOW void from_row_before(V& v, const double* first) {
  from_row_before<rows>(v, first, std::make_integer_sequence<int, sizeof v / sizeof(double)>());
}
// Stores the values of the last row of each plane.
template <int rows, typename V, int... plane>
SEXTANT_FLOW void put_last_rows(const V& v, double* to, std::integer_sequence<int, plane...>) {
  if constexpr (sizeof...(plane) == 1) {
    *to = lane_of(v, rows - 1);
  } else {
    const Packed<sizeof...(plane)> edge = __builtin_shufflevector(v, v, (plane * rows + rows - 1)...);
    std::memcpy(to, &edge, sizeof edge);
  }
}

// Gives each lane the value of the lane with the previous plane. The first plane gets `first`.
template <int rows, typename V, int... l>
SEXTANT_FLOW void from_plane_before(V& v, const Packed<rows>& first, std::integer_sequence<int, l...>) {
  constexpr int lanes = sizeof...(l);
  v = __builtin_shufflevector(widened<lanes>(first), v, (l < rows ? l : lanes + l - rows)...);
}
template <int rows, typename V>
SEXTANT_FLOW void from_plane_before(V& v, const double* first) {
  constexpr int lanes = sizeof v / sizeof(double);
  Packed<rows> plane;
  std::memcpy(&plane, first, sizeof plane);
  if constexpr (lanes == rows)
    v = plane;
  else
    from_plane_before<rows>(v, plane, std::make_integer_sequence<int, lanes>());
}
template <typename V, int lanes, int... row>
SEXTANT_FLOW void put_last_plane(const V& v, double* to, std::integer_sequence<int, row...>) {
  const Packed<sizeof...(row)> plane =
      __builtin_shufflevector(v, v, (lanes - static_cast<int>(sizeof...(row)) + row)...);
  std::memcpy(to, &plane, sizeof plane);
}
template <int rows, typename V>
SEXTANT_FLOW void put_last_plane(const V& v, double* to) {
  constexpr int lanes = sizeof v / sizeof(double);
  if constexpr (lanes == rows)
    std::memcpy(to, &v, sizeof v);
  else
    put_last_plane<V, lanes>(v, to, std::make_integer_sequence<int, rows>());
}

// Converts a point (p, q, r), with indices from 1 in sweep order, to the offset origin + p x + q y + r z.
struct Direction {
  std::int64_t origin, x, y, z;
  Direction(const Grid& g, bool upper)
      : origin(upper ? g.at(g.n - 1, g.n - 1, g.n - 1) : g.at(0, 0, 0)),
        x(upper ? -1 : 1),
        y(upper ? -g.pitch : g.pitch),
        z(upper ? -g.pitch * g.n : g.pitch * g.n) {}
};

// The rows of a tile and the delay of its lanes: in step s, lane l is at point s - delay(l) of its row. Both
// sweeps divide the rows in the same way. The first panel of the upper sweep may therefore begin before the
// first row.
template <bool upper, int rows, int planes>
struct TileLanes {
  static constexpr int lanes = rows * planes;
  using V = Packed<lanes>;
  std::int64_t inner;
  std::int64_t starts[lanes] = {};  // offset of each lane's row; a lane without a row repeats another one
  bool whole, early, there[lanes] = {};  // early: true if the first rows do not exist

  TileLanes(const Grid& g, std::int64_t panel, std::int64_t layer) : inner(g.n - 2) {
    const std::int64_t beyond = (inner + rows - 1) / rows * rows - inner;
    const std::int64_t first_row = 1 + panel * rows - (upper ? beyond : 0),
                       first_plane = 1 + (layer - 1) * planes;
    const Direction d(g, upper);
    early = first_row < 1;
    whole = !early && first_row + rows - 1 <= inner && first_plane + planes - 1 <= inner;
    for (int l = 0; l < lanes; ++l) {
      const std::int64_t row = first_row + l % rows, plane = first_plane + l / rows;
      there[l] = row >= 1 && row <= inner && plane <= inner;
      starts[l] = d.origin + d.y * std::clamp(row, std::int64_t{1}, inner) + d.z * std::min(plane, inner);
    }
  }
  static constexpr int delay(int l) { return l % rows + l / rows; }
  bool begun(int l, std::int64_t s) const { return s > delay(l) && (there[l] || !early); }
  // Returns the lowest offset of the points of lane l in steps s … s + lanes - 1.
  std::int64_t at(int l, std::int64_t s) const {
    const std::int64_t point = s - delay(l);
    return upper ? starts[l] - (point + lanes - 1) : starts[l] + point;
  }
  // Prefetches the data of `lanes` steps, starting with step s, for a tile at distance `elements`.
  template <bool to_write>
  void call(const double* from, std::int64_t s, std::int64_t elements) const {
    for (int l = 0; l < lanes; ++l)
      __builtin_prefetch(from + at(l, s) + (upper ? 0 : lanes - 1) + elements, to_write);
  }
  static constexpr int place(int step) { return upper ? lanes - 1 - step : step; }

  // Loads the data of `lanes` steps, starting with step s. Points past the ends of a row read other elements
  // of the array.
  void load(const double* from, std::int64_t s, V (&steps)[lanes]) const {
    for (int l = 0; l < lanes; ++l) std::memcpy(&steps[l], from + at(l, s), sizeof(V));
    transpose(steps);
  }
  void store(V (&steps)[lanes], std::int64_t s, double* to) const {
    transpose(steps);
    if (whole && s > delay(lanes - 1) && s + lanes - 1 <= inner) {
      for (int l = 0; l < lanes; ++l) std::memcpy(to + at(l, s), &steps[l], sizeof(V));
      return;
    }
    for (int l = 0; l < lanes; ++l)
      if (there[l]) store_row(steps[l], s - delay(l), to + at(l, s));
  }
  // Stores a row's points, starting with `point`. Skips points that do not exist.
  void store_row(const V& points, std::int64_t point, double* to) const {
    if (point >= 1 && point + lanes - 1 <= inner) {
      std::memcpy(to, &points, sizeof points);
      return;
    }
    double row[lanes];
    std::memcpy(row, &points, sizeof row);
    const auto first = static_cast<int>(std::max<std::int64_t>(0, 1 - point)),
               end = static_cast<int>(std::min<std::int64_t>(lanes, inner - point + 1));
    for (int step = first; step < end; ++step) to[place(step)] = row[place(step)];
  }
};

// Prefetches all cache lines from `first` to `end`.
template <bool to_write>
void call_lines(const double* first, const double* end) {
  for (; first < end; first += line_doubles) __builtin_prefetch(first, to_write);
  __builtin_prefetch(end - 1, to_write);
}

// Processes one tile of a sweep: updates v or, in the upper sweep, u, which no other point reads. Loads and
// stores the data of several steps together, one step per lane.
template <bool upper, int rows, int planes, typename State, typename Before, typename Done>
void sweep_tile(const State& state, const Weights& w, std::int64_t panel, std::int64_t layer,
                const Before& before, const Done& done) {
  constexpr int lanes = rows * planes;
  constexpr bool calls_ahead = lanes > 1 && decltype(state.order)::calls_ahead;
  static constexpr double zeros[lanes] = {};
  using V = Packed<lanes>;
  const Grid& g = state.flow.grid;
  const std::int64_t inner = g.n - 2, size = g.size(), handed = inner + planes - 1, steps = handed + rows - 1;
  const TileLanes<upper, rows, planes> tile(g, panel, layer);
  double *u = state.flow.u.get(), *v = state.flow.b.get();
  double* const ahead = state.ahead_of(panel) - components * rows;  // address of step 0, which is not stored
  const double* from_before = state.edge_of(panel, layer);
  double* to_next = state.edge_of(panel + 1, layer);
  const std::int64_t layers = state.shape.layers(g.n), to_next_layer = Direction(g, upper).z * planes;
  V along_x[components], along_y[components], along_z[components];
  for (int m = 0; m < components; ++m) along_x[m] = V{}, along_y[m] = V{}, along_z[m] = V{};
  if (lanes == 1) before(handed);
  for (std::int64_t first = 1; first <= steps; first += lanes) {
    if (lanes > 1 && first % steps_handed_together == 1) {
      if (first > rows) done(first - rows);
      const std::int64_t last = std::min(first + steps_handed_together - 1, handed);
      const auto edge = [&](std::int64_t s) { return components * s * planes; };
      if (calls_ahead) call_lines<true>(to_next + edge(first), to_next + edge(last + 1));
      before(last);
      if (calls_ahead) call_lines<false>(from_before + edge(first), from_before + edge(last + 1));
    }
    if (calls_ahead) {  // prefetch the next data of this layer, or the first data of the next layer
      const bool here_yet = first + lanes <= steps;
      const std::int64_t next = here_yet ? first + lanes : 1, elements = here_yet ? 0 : to_next_layer;
      for (int m = 0; m < components && (here_yet || layer < layers); ++m) {
        tile.template call<upper>(u + m * size, next, elements);
        tile.template call<!upper>(v + m * size, next, elements);
      }
    }
    V states[components][lanes], values[components][lanes];
    for (int m = 0; m < components; ++m) {
      tile.load(u + m * size, first, states[m]);
      tile.load(v + m * size, first, values[m]);
    }
    for (int step = 0; step < lanes; ++step) {
      const std::int64_t s = first + step;
      if (s > steps) break;
      V here[components], value[components], sum[components];
      for (int m = 0; m < components; ++m) {
        here[m] = states[m][tile.place(step)], value[m] = values[m][tile.place(step)];
        from_row_before<rows>(along_y[m], s <= handed ? from_before + (components * s + m) * planes : zeros);
        sum[m] = along_x[m] + along_y[m];
        if (planes == 1 && layer == 1) continue;
        from_plane_before<rows>(along_z[m],
                                layer > 1 && s < inner + rows ? ahead + (components * s + m) * rows : zeros);
        sum[m] = sum[m] + along_z[m];
      }
      const Point<V> point = point_of(here);
      relax<upper>(w, own_of(w, point), sum, value);
      if (tile.early || s <= tile.delay(lanes - 1))  // some rows have not begun
        for (int l = 0; l < lanes; ++l)
          for (int m = 0; m < components && !tile.begun(l, s); ++m) set_lane(value[m], l, 0.0);
      constexpr int sign = upper ? 1 : -1;
      product<0, sign>(w, point, value, along_x);
      product<1, sign>(w, point, value, along_y);
      product<2, sign>(w, point, value, along_z);
      if (s >= planes)
        for (int m = 0; m < components; ++m)
          put_last_plane<rows>(along_z[m], ahead + (components * (s - planes + 1) + m) * rows);
      if (s >= rows)
        for (int m = 0; m < components; ++m)
          put_last_rows<rows>(along_y[m], to_next + (components * (s - rows + 1) + m) * planes,
                              std::make_integer_sequence<int, planes>());
      for (int m = 0; m < components; ++m)
        values[m][tile.place(step)] = upper ? here[m] + step_factor * value[m] : value[m];
    }
    for (int m = 0; m < components; ++m) tile.store(values[m], first, (upper ? u : v) + m * size);
  }
  done(handed);
}

template <bool upper, int rows, int planes, typename State>
void sweep(State& state, double dt) {
  const Weights w(state.flow.grid.n, dt);
  state.order.each([&](std::int64_t panel, std::int64_t layer, const auto& before, const auto& done) {
    sweep_tile<upper, rows, planes>(state, w, panel, layer, before, done);
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

// Performs a launch. steps(state, dt) must compute its time steps.
template <typename Order, typename Steps>
void launch_steps(const Call& call, const Steps& steps) {
  using Loop = typename Order::Loop;
  auto& state = *static_cast<PanelState<Order>*>(call.state);
  call.phase("reset");
  reset<Loop>(state.flow.grid, state.flow.u.get());
  steps(state, time_step(call.problem));
  call.phase("verify");
  put_results<Loop>(call, state.flow);
  call.array<double>(norms)[norm_count] = integral_of<Loop>(state.flow, state.rows.get());
  call.phase("");
}

template <typename Order, int rows, int planes>
void launch_panels(const Call& call) {
  launch_steps<Order>(call, [&](PanelState<Order>& state, double dt) {
    const Grid& g = state.flow.grid;
    const double *u = state.flow.u.get(), *f = state.flow.f.get();
    double* const v = state.flow.b.get();
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
      call.phase("rhs");
      each_interior_row<typename Order::Loop>(g.n, [&](std::int64_t j, std::int64_t k, int) {
        (rows * planes == 1 ? residual_row : residual_in_vectors)(g, dt, u, f, j, k, v);
      });
      call.phase("lower");
      sweep<false, rows, planes>(state, dt);
      call.phase("upper");
      sweep<true, rows, planes>(state, dt);
    }
  });
}

template <typename Order, int rows, int planes = 1>
Variant panel_variant(const char* description) {
  static constexpr TileShape shape{rows, planes};
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = launch_panels<Order, rows, planes>};
  variant.prepare = [](const Call& call, void** state) { return prepare_panels<Order>(call, shape, state); };
  variant.release = release_panels<Order>;
  variant.workspace = [](const Problem& problem, const int*) { return panel_workspace(problem, shape); };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_lu
