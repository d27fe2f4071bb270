// A line's systems by two threads each, from the line's ends to its middle, for models whose threads share nothing but memory: what
// a thread keeps between the two ways is there, and between them all threads of a line wait for each other.
#pragma once

#include "lines.hpp"
#include "middle.hpp"

namespace sextant::npb_sp {

// A row's slots in memory: its right sides, and two factors of each system. L lines lie side by side.
inline constexpr int of_factors = components, kept_slots = components + 6;

// One half of a line. Row k from its end on is point `at` + k * step; `kept` is slot 0 of its row 1.
struct HalfLine {
  std::int64_t count, most;  // rows; rows of the line's longer half
  std::int64_t at, step;
  double direction;  // 1, or -1 against the line's order
  double *kept, *others;
};

// L lines' halves: the first one has one row more where they are odd. `kept` has room for both halves of each line.
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

// What a place adds to the row before it and to the next one, as its half is walked, and to its own.
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

// Right sides of one system in the variables of an axis: 0 to 2 have the first matrix, each of the others its own.
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

// Eliminates a half from its end to its last row. A thread reads some places before it uses the first.
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

// A half's last two rows as its elimination left them; where it has one, the row before is that of an unknown 0.
template <int L>
SEXTANT_FLOW Rows last_rows(const double* kept, std::int64_t count, int system) {
  const double* const slots = kept + ((count - 1) * kept_slots + of_factors + 2 * system) * L;
  Rows rows = {{}, {slots[0], slots[L]}};
  if (count > 1) rows.two = {slots[-kept_slots * L], slots[(1 - kept_slots) * L]};
  return rows;
}

// The unknowns of a half, to b, once both halves are eliminated.
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
