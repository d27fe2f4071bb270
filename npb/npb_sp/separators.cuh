// The rows between a line's spans: what halves leave of them is a system of its own, which lanes solve together.
#pragma once

#include "half_system.cuh"

namespace sextant::npb_sp {

// What a half has beside its first row: the unknowns of a separator, the far one first, and what the near one adds to that
// row; nothing at a line's ends.
template <int rights>
struct Beside {
  double unknowns[rights][2] = {};
  double behind = 0;
};

// The separator at the left of a span, in lanes of even halves; in all others, and at a line's end, an equation of no consequence:
// x + lower x' + upper x'' = y, where x' and x'' are the separators before and after it.
template <int rights>
struct Separator {
  double lower[2][2] = {}, upper[2][2] = {}, y[rights][2] = {};

  __device__ static void multiply(const double (&m)[2][2], double (&columns)[2][2]) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const double one = columns[0][k], two = columns[1][k];
      columns[0][k] = m[0][0] * one + m[0][1] * two, columns[1][k] = m[1][0] * one + m[1][1] * two;
    }
  }
  // After its own matrix has been found.
  __device__ void divide(const double (&own)[2][2]) {
    const double scale = reciprocal(own[0][0] * own[1][1] - own[0][1] * own[1][0]);
    const double m[2][2] = {{own[1][1] * scale, -own[0][1] * scale}, {-own[1][0] * scale, own[0][0] * scale}};
    multiply(m, lower);
    multiply(m, upper);
#pragma unroll
    for (int k = 0; k < rights; ++k) {
      const double one = y[k][0], two = y[k][1];
      y[k][0] = m[0][0] * one + m[0][1] * two, y[k][1] = m[1][0] * one + m[1][1] * two;
    }
  }
  // The separators `lanes_apart` away on both sides are eliminated from it.
  template <int H>
  __device__ void reduce(int lanes_apart, unsigned lanes) {
    double own[2][2] = {{1, 0}, {0, 1}}, next_lower[2][2] = {}, next_upper[2][2] = {};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      double from_lower[2], from_upper[2], lowest[2], uppermost[2];
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        from_lower[row] = __shfl_up_sync(lanes, upper[row][k], lanes_apart, H);
        lowest[row] = __shfl_up_sync(lanes, lower[row][k], lanes_apart, H);
        from_upper[row] = __shfl_down_sync(lanes, lower[row][k], lanes_apart, H);
        uppermost[row] = __shfl_down_sync(lanes, upper[row][k], lanes_apart, H);
      }
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        own[row][k] -= lower[row][0] * from_lower[0] + lower[row][1] * from_lower[1] +
                       upper[row][0] * from_upper[0] + upper[row][1] * from_upper[1];
        next_lower[row][k] = -(lower[row][0] * lowest[0] + lower[row][1] * lowest[1]);
        next_upper[row][k] = -(upper[row][0] * uppermost[0] + upper[row][1] * uppermost[1]);
      }
    }
#pragma unroll
    for (int k = 0; k < rights; ++k) {
      const double low0 = __shfl_up_sync(lanes, y[k][0], lanes_apart, H),
                   low1 = __shfl_up_sync(lanes, y[k][1], lanes_apart, H),
                   up0 = __shfl_down_sync(lanes, y[k][0], lanes_apart, H),
                   up1 = __shfl_down_sync(lanes, y[k][1], lanes_apart, H);
#pragma unroll
      for (int row = 0; row < 2; ++row)
        y[k][row] -= lower[row][0] * low0 + lower[row][1] * low1 + upper[row][0] * up0 + upper[row][1] * up1;
    }
#pragma unroll
    for (int row = 0; row < 2; ++row)
#pragma unroll
      for (int k = 0; k < 2; ++k) lower[row][k] = next_lower[row][k], upper[row][k] = next_upper[row][k];
    divide(own);
  }
};

// Solves the separators of lines, which stay in their right sides' places, and says what is beside a half.
template <int L, int H, int rights>
__device__ Beside<rights> solve_separators(const Line& line, double* data, int first_right, int system, int l,
                                           int half, double after, const Lanes<1>& lanes) {
  const Halves<L, H> halves(line.n);
  const int apart = halves.of_slot(), at = halves.at(l, half);
  const bool at_end = half == 0 || half == H - 1, left = half % 2 == 0;
  // Places of the separator beside the half, of which left halves take care.
  const int place = at_end ? at : left ? at - 2 : at + halves.of_half;
  const double* const terms = data + (of_systems + 2 * system) * apart;
  const Pair one = {terms[place], terms[apart + place]}, two = {terms[place + 1], terms[apart + place + 1]};
  Beside<rights> beside;
  if (!at_end) beside.behind = left ? two.next : one.before;

  HalfSystem<rights, false> part(line, data, first_right, system, at, apart, at_end, beside.behind);
  part.eliminate_all(halves.count(half), after);
  // The separator's rows, which now reach for the other half's last unknowns: these are right sides, what this separator and
  // what the one beside the other half contribute.
  const Middle middle(lanes.of_other(part.rows), part.rows);
  double across[2][2] = {};  // columns of the latter
#pragma unroll
  for (int m = 0; m < part.columns; ++m) {
    const Middle::Two mine = {part.y[m][0], part.y[m][1]},
                      others = {lanes.of_other(mine.first), lanes.of_other(mine.second)};
    const Middle::Two v = middle.unknowns(m < rights ? others : Middle::Two{}, mine);
    part.add_reach(part.sums[m], v.second, v.first);
    if (m < rights) continue;
    const Middle::Two far = middle.unknowns(others, {});
    part.add_reach(across[m - rights], far.second, far.first);
  }

  // Lanes of left halves gather what the half on the other side of their separator has, whose far row is their near one.
  const double inside = part.inside;
  const bool owner = left && !at_end;
  Separator<rights> separator;
  double own[2][2] = {{one.diagonal(inside), two.before}, {one.next, two.diagonal(inside)}};
#pragma unroll
  for (int row = 0; row < 2; ++row)
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const double others = __shfl_up_sync(lanes.mask, part.sums[rights + 1 - k][1 - row], 1, H),
                   before = __shfl_up_sync(lanes.mask, across[k][1 - row], 1, H);
      own[row][k] = owner ? own[row][k] + part.sums[rights + k][row] + others : row == k;
      separator.lower[row][k] = owner ? before : 0;
      separator.upper[row][k] = owner ? across[1 - k][row] : 0;
    }
  double* const right = data + first_right * apart + place;
#pragma unroll
  for (int m = 0; m < rights; ++m)
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const double others = __shfl_up_sync(lanes.mask, part.sums[m][1 - row], 1, H);
      separator.y[m][row] = owner ? right[m * apart + row] - part.sums[m][row] - others : 0;
    }
  separator.divide(own);
#pragma unroll
  for (int lanes_apart = 2; lanes_apart < H - 2; lanes_apart *= 2)
    separator.template reduce<H>(lanes_apart, lanes.mask);

#pragma unroll
  for (int m = 0; m < rights; ++m) {
    const double first = __shfl_down_sync(lanes.mask, separator.y[m][0], 1, H),
                 second = __shfl_down_sync(lanes.mask, separator.y[m][1], 1, H);
    if (!at_end) {
      beside.unknowns[m][0] = left ? separator.y[m][0] : second;
      beside.unknowns[m][1] = left ? separator.y[m][1] : first;
    }
    if (owner) right[m * apart] = separator.y[m][0], right[m * apart + 1] = separator.y[m][1];
  }
  return beside;
}

}  // namespace sextant::npb_sp
