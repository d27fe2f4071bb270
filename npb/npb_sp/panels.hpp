// SP on the host: the lines of a panel are copied to a worker's buffer, a place of all lines after the other. A panel of
// one line is the plain loop.
#pragma once

#include "lines.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/panels.hpp"

namespace sextant::npb_sp {
namespace {

// At each place of a panel, `lanes` of each: five right sides, the matrix's terms, two factors of each system.
enum Slot : int { right = 0, along = 5, sound = 6, spread = 7, factors = 8, slots = 14 };

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

// Where place p of lane l lies. Lines along y and z are neighbours in memory; lanes that a panel lacks repeat its last line.
template <int axis, bool whole>
std::int64_t place_of(const Panel& panel, std::int64_t p, int l) {
  const std::int64_t across = axis == 0 ? panel.across : 1;
  return panel.first + p * panel.step + (whole || l < panel.lines ? l : panel.lines - 1) * across;
}

template <int axis, int lanes, bool whole>
void load_panel(const Line& line, const Grid& g, const Panel& panel, const double* u, const double* b,
                double* buffer) {
  const std::int64_t size = g.size();
  for (const std::int64_t p : {std::int64_t{0}, line.n - 1})
    std::fill_n(buffer + p * slots * lanes, slots * lanes, 0.0);
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    double* here = buffer + p * slots * lanes;
#pragma omp simd
    for (int l = 0; l < lanes; ++l) {
      const std::int64_t at = place_of<axis, whole>(panel, p, l);
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
template <int axis, int lanes, bool whole>
void store_panel(const Line& line, const Grid& g, const Panel& panel, const double* buffer, double* u,
                 double* b) {
  const std::int64_t size = g.size();
  for (std::int64_t p = 1; p < line.n - 1; ++p) {
    const double* here = buffer + p * slots * lanes;
    const int lines = whole ? lanes : panel.lines;
#pragma omp simd
    for (int l = 0; l < lines; ++l) {
      const std::int64_t at = place_of<axis, whole>(panel, p, l);
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

struct Panels {
  using Line = npb_sp::Line;
  static double time_step(const Problem& problem) { return npb_sp::time_step(problem); }
  template <int lanes>
  static std::int64_t buffer_doubles(std::int64_t n) {
    return n * slots * lanes;
  }
  template <int axis, int lanes>
  static void solve(const Line& line, const Grid& g, const Panel& panel, double* u, double* b,
                    double* buffer) {
    panel.lines == lanes ? load_panel<axis, lanes, true>(line, g, panel, u, b, buffer)
                         : load_panel<axis, lanes, false>(line, g, panel, u, b, buffer);
    solve_panel<lanes>(line, buffer);
    panel.lines == lanes ? store_panel<axis, lanes, true>(line, g, panel, buffer, u, b)
                         : store_panel<axis, lanes, false>(line, g, panel, buffer, u, b);
  }
};

template <typename Loop, int lanes>
Variant panel_variant(const char* description) {
  return npb::flow::panel_variant<Panels, Loop, lanes>(description);
}

}  // namespace
}  // namespace sextant::npb_sp
