// NAS SP on the host by panels (groups of adjacent lines). The lines of a panel are solved together, one per
// SIMD lane. A thread's buffer holds the values of all lines at one point, then those at the next point, and
// so on.
#pragma once

#include <cstring>

#include "lines.hpp"
#include "problem.hpp"
#include "toolbox/npb_flow/packed.hpp"
#include "toolbox/npb_flow/panels.hpp"

namespace sextant::npb_sp {
namespace {

// Values per point of a panel, each with one element per line: five right-hand sides, the terms of the
// matrices, and two factors of each system.
enum Slot : int { right = 0, along = 5, sound = 6, spread = 7, factors = 8, slots = 14 };

// Returns the offset of point p of lane l. Lines along y and z are adjacent in memory. If a panel has fewer
// lines than lanes, the other lanes repeat the panel's last line.
template <int axis, bool whole>
std::int64_t place_of(const Panel& panel, std::int64_t p, int l) {
  const std::int64_t across = axis == 0 ? panel.across : 1;
  return panel.first + p * panel.step + (whole || l < panel.lines ? l : panel.lines - 1) * across;
}

// Loads right-hand sides and terms of point p into the buffer, for all lanes.
template <int axis, int lanes, bool whole>
void load_place(const Line& line, const Grid& g, const Panel& panel, std::int64_t p, const double* u,
                const double* b, double* here) {
  const std::int64_t size = g.size();
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

// Stores b at point p for all lanes. Lines along z store the new flow state u instead.
template <int axis, int lanes, bool whole>
void store_place(const Grid& g, const Panel& panel, std::int64_t p, const double* here, double* u,
                 double* b) {
  const std::int64_t size = g.size();
  const int lines = whole ? lanes : panel.lines;
#pragma omp simd
  for (int l = 0; l < lines; ++l) {
    const std::int64_t at = place_of<axis, whole>(panel, p, l);
    const Five r = {here[l], here[lanes + l], here[2 * lanes + l], here[3 * lanes + l], here[4 * lanes + l]};
    if constexpr (axis == 2) {
      const Five w = load(u, size, at);
      const Derived d = derived(w);
      store(u, size, at, sum(w, to_conserved(w, d, sound_speed(w, d), r)));
    } else {
      store(b, size, at, r);
    }
  }
}

constexpr int system_of(int m) { return m < 3 ? 0 : m - 2; }  // the system of right-hand side m

// A panel's lines in the buffer of a thread.
template <int lanes>
struct Buffer {
  using V = Packed<lanes>;
  double* start;

  double* place(std::int64_t p) const { return start + p * slots * lanes; }
  V get(std::int64_t p, int slot) const {
    V v;
    std::memcpy(&v, place(p) + slot * lanes, sizeof v);
    return v;
  }
  void put(std::int64_t p, int slot, const V& v) const { std::memcpy(place(p) + slot * lanes, &v, sizeof v); }

  // Returns row p of a system.
  RowOf<V> row(std::int64_t p, int system) const {
    return {get(p, factors + 2 * system), get(p, factors + 2 * system + 1)};
  }

  // Eliminates the previous unknowns from the rows of point p. Right-hand sides 0 to 2 share one matrix.
  void eliminate_place(const Line& line, std::int64_t p) const {
    const std::int64_t before = p > 1 ? p - 2 : p - 1;  // row 0 serves as row -1, because both are zero
    const V va = get(p - 1, along), ca = get(p - 1, sound), ga = get(p - 1, spread), g = get(p, spread),
            vb = get(p + 1, along), cb = get(p + 1, sound), gb = get(p + 1, spread);
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) {
      const double sign = s == 0 ? 0 : s == 1 ? 1 : -1;
      const V below = -(va + sign * ca) - ga, above = vb + sign * cb - gb;
      RowOf<V> made;
      const StepOf<V> step =
          eliminate(row_at(line, p, below, g, above), row(before, s), row(p - 1, s), &made);
      put(p, factors + 2 * s, made.next);
      put(p, factors + 2 * s + 1, made.second);
#pragma GCC unroll 5
      for (int m = 0; m < components; ++m)
        if (system_of(m) == s) put(p, m, eliminated(step, get(p, m), get(before, m), get(p - 1, m)));
    }
  }

  // Computes the unknowns of point p from the unknowns of the next two points.
  void substitute_place(std::int64_t p, V (&one)[components], V (&two)[components]) const {
#pragma GCC unroll 5
    for (int m = 0; m < components; ++m) {
      const int factor = factors + 2 * system_of(m);
      const V x = get(p, m) - get(p, factor) * one[m] - get(p, factor + 1) * two[m];
      put(p, m, x);
      two[m] = one[m], one[m] = x;
    }
  }
};

// Solves a panel. Each point is loaded one step before its elimination and stored as soon as it is solved, so
// that memory accesses overlap with arithmetic.
template <int axis, int lanes, bool whole>
void solve_panel(const Line& line, const Grid& g, const Panel& panel, double* u, double* b, double* buffer) {
  using V = Packed<lanes>;
  const Buffer<lanes> lines{buffer};
  const std::int64_t last = line.n - 2;
  for (const std::int64_t p : {std::int64_t{0}, last + 1}) std::fill_n(lines.place(p), slots * lanes, 0.0);
  const auto load_at = [&](std::int64_t p) __attribute__((always_inline)) {
    load_place<axis, lanes, whole>(line, g, panel, p, u, b, lines.place(p));
  };
  load_at(1);
  for (std::int64_t p = 1; p <= last; ++p) {
    if (p < last) load_at(p + 1);
    lines.eliminate_place(line, p);
  }
  V next[components] = {}, second[components] = {};
  for (std::int64_t p = last; p >= 1; --p) {
    lines.substitute_place(p, next, second);
    store_place<axis, lanes, whole>(g, panel, p, lines.place(p), u, b);
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
    panel.lines == lanes ? solve_panel<axis, lanes, true>(line, g, panel, u, b, buffer)
                         : solve_panel<axis, lanes, false>(line, g, panel, u, b, buffer);
  }
};

template <typename Loop, int lanes>
Variant panel_variant(const char* description) {
  return npb::flow::panel_variant<Panels, Loop, lanes>(description);
}

}  // namespace
}  // namespace sextant::npb_sp
