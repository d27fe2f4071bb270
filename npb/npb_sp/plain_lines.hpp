// NAS SP on the host, line by line: loads a line's points, solves its systems in both directions, and stores
// the result.
#pragma once

#include "lines.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/panels.hpp"

namespace sextant::npb_sp {
namespace {

struct PlainLines {
  using Line = npb_sp::Line;

  // A point of a line in a thread's buffer: right-hand sides, terms, and two factors of each system.
  struct Place {
    double right[components];
    double along, sound, spread;
    double factors[3][2];
  };

  static double time_step(const Problem& problem) { return npb_sp::time_step(problem); }
  template <int lanes>
  static std::int64_t buffer_doubles(std::int64_t n) {
    static_assert(lanes == 1);
    return n * static_cast<std::int64_t>(sizeof(Place) / sizeof(double));
  }

  template <int axis>
  static void load_line(const Line& line, const Grid& g, const Panel& panel, const double* u, const double* b,
                        Place* places) {
    places[0] = places[line.n - 1] = {};
    for (std::int64_t p = 1; p < line.n - 1; ++p) {
      const std::int64_t at = panel.first + p * panel.step;
      const Five w = load(u, g.size(), at), r = load(b, g.size(), at);
      const Derived d = derived(w);
      const double c = sound_speed(w, d);
      const Terms terms = terms_of<axis>(line, d.inverse, velocity<axis>(d), c);
      const Five start = axis == 0 ? to_characteristics(d, c, r) : axis == 1 ? x_to_y(r) : y_to_z(r);
      places[p] = {{start.r, start.x, start.y, start.z, start.e}, terms.along, terms.sound, terms.spread, {}};
    }
  }

  static void solve_line(const Line& line, Place* places) {
    for (std::int64_t p = 1; p < line.n - 1; ++p) {
      Place& here = places[p];
      const Place &below = places[p - 1], &above = places[p + 1];
      const Place& two = p > 1 ? places[p - 2] : below;  // rows 0 and -1 are zero
#pragma GCC unroll 3
      for (int system = 0; system < 3; ++system) {
        const double sign = system == 0 ? 0 : system == 1 ? 1 : -1;
        const Coefficients c = row_at(line, p, -(below.along + sign * below.sound) - below.spread,
                                      here.spread, above.along + sign * above.sound - above.spread);
        Row row;
        const Step step = eliminate(c, Row{two.factors[system][0], two.factors[system][1]},
                                    Row{below.factors[system][0], below.factors[system][1]}, &row);
        here.factors[system][0] = row.next;
        here.factors[system][1] = row.second;
        const int first = system == 0 ? 0 : 2 + system, last = system == 0 ? 3 : 3 + system;
#pragma GCC unroll 3
        for (int m = first; m < last; ++m)
          here.right[m] = eliminated(step, here.right[m], two.right[m], below.right[m]);
      }
    }
    for (std::int64_t p = line.n - 3; p >= 1; --p) {
      Place& here = places[p];
      const Place &one = places[p + 1], &two = places[p + 2];
#pragma GCC unroll 5
      for (int m = 0; m < components; ++m) {
        const auto& factors = here.factors[m < 3 ? 0 : m - 2];
        here.right[m] -= factors[0] * one.right[m] + factors[1] * two.right[m];
      }
    }
  }

  // Stores the line's b. Lines along z store the new flow state u instead.
  template <int axis>
  static void store_line(const Line& line, const Grid& g, const Panel& panel, const Place* places, double* u,
                         double* b) {
    for (std::int64_t p = 1; p < line.n - 1; ++p) {
      const std::int64_t at = panel.first + p * panel.step;
      const double* x = places[p].right;
      const Five r = {x[0], x[1], x[2], x[3], x[4]};
      if constexpr (axis == 2) {
        const Five w = load(u, g.size(), at);
        const Derived d = derived(w);
        store(u, g.size(), at, sum(w, to_conserved(w, d, sound_speed(w, d), r)));
      } else {
        store(b, g.size(), at, r);
      }
    }
  }

  template <int axis, int lanes>
  static void solve(const Line& line, const Grid& g, const Panel& panel, double* u, double* b,
                    double* buffer) {
    static_assert(lanes == 1);
    auto* places = reinterpret_cast<Place*>(buffer);
    load_line<axis>(line, g, panel, u, b, places);
    solve_line(line, places);
    store_line<axis>(line, g, panel, places, u, b);
  }
};

}  // namespace
}  // namespace sextant::npb_sp
