// NAS BT on the host. A thread solves one panel at a time, which is a group of adjacent lines in SIMD
// vectors. A buffer per thread holds the panel's right-hand sides and eliminated blocks. A panel of one line
// gives the scalar loop.
#pragma once

#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/packed.hpp"
#include "toolbox/npb_flow/panels.hpp"

namespace sextant::npb_bt {
namespace {

// Eliminated block and right-hand side at one point of the lines in a panel.
template <typename V>
struct Eliminated {
  Block<V> above;
  Vector<V> right;
};

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

struct Panels {
  using Line = npb_bt::Line;
  static double time_step(const Problem& problem) { return npb_bt::time_step(problem); }
  template <int lanes>
  static std::int64_t buffer_doubles(std::int64_t n) {
    return n * static_cast<std::int64_t>(sizeof(Eliminated<Packed<lanes>>) / sizeof(double));
  }
  template <int axis, int lanes>
  static void solve(const Line& line, const Grid& g, const Panel& panel, double* u, double* b,
                    double* buffer) {
    solve_panel<axis, lanes>(line, g.size(), panel, u, b,
                             reinterpret_cast<Eliminated<Packed<lanes>>*>(buffer));
  }
};

template <typename Loop, int lanes>
Variant panel_variant(const char* description) {
  return npb::flow::panel_variant<Panels, Loop, lanes>(description);
}

}  // namespace
}  // namespace sextant::npb_bt
