// Elimination of one half of a system by one thread in shared memory, for NAS SP's pentadiagonal systems.
#pragma once

#include "lines.hpp"
#include "middle.hpp"

// Layout of lines in shared memory for two threads per system. Each half of a line is stored from the line's
// end to its middle.
namespace sextant::npb_sp {

// Values per point in shared memory: five right-hand sides, then for each system the coefficients of this
// point in the next row and in the previous row. Factors overwrite the coefficients.
enum Slot : int { right = 0, of_systems = 5, slots = 11 };

// Position of a row. Row k of a half, counted from the half's end of the line, is at position `at` + k. Both
// halves use the same code, in which "before" and "next" are relative to that end.
struct Spot {
  int place;
  bool turned;  // true if the half is stored in reverse order
};

// Layout of L lines. Halves of adjacent lines are `pitch` elements apart, which avoids bank conflicts between
// adjacent lines, adjacent rows, and the halves of a line.
template <int L>
struct Halves {
  static constexpr int across = L;  // distance in lanes between the two halves of a line
  int inner, first, pitch;  // first: rows of the first half, which is the longer one if the number is odd
  __host__ __device__ explicit constexpr Halves(std::int64_t n)
      : inner(static_cast<int>(n) - 2),
        first((inner + 1) / 2),
        pitch((first - apart + 15) / 16 * 16 + apart) {}
  static __device__ int line_of(int lane) { return lane % L; }
  static __device__ int half_of(int lane) { return lane / L; }
  __host__ __device__ constexpr int of_slot() const { return 2 * L * pitch + 1; }
  __device__ int count(int half) const { return half ? inner - first : first; }
  __device__ int at(int line, int half) const { return half * (L * pitch + 1) + line * pitch; }
  __device__ Spot spot(int line, int row) const {
    const bool turned = row >= first;
    return {at(line, turned) + (turned ? inner - 1 - row : row), turned};
  }
  static constexpr int apart = 16 / L;
};

template <int L>
constexpr std::size_t bytes_of_halves(std::int64_t n) {
  return sizeof(double) * slots * static_cast<std::size_t>(Halves<L>(n).of_slot());
}

}  // namespace sextant::npb_sp

namespace sextant::npb_sp {

// A reciprocal, stored as the hardware's estimate and a correction. A multiplication by it takes one
// operation more than with the estimate alone.
struct Guess {
  double guess, rest;
  __device__ explicit Guess(double x) {
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
    const double error = ::fma(-x, guess, 1.0);
    rest = ::fma(error, error, error);
  }
  __device__ double times(double y) const { return ::fma(y * guess, rest, y * guess); }
};

// A point's coefficients in the previous and in the next row, including the fourth difference.
struct Pair {
  double before, next;
  __device__ double diagonal(double weight) const { return weight - (before + next); }
};

// The lanes that execute together. of_other returns a value from the lane with the other half of the line.
template <int across>
struct Lanes {
  unsigned mask;
  __device__ double of_other(double value) const { return __shfl_xor_sync(mask, value, across); }
  __device__ RowPair of_other(const RowPair& rows) const {
    return {{of_other(rows.first[0]), of_other(rows.first[1])},
            {of_other(rows.second[0]), of_other(rows.second[1])}};
  }
};

// One half of one system of a line. Rows are eliminated two at a time, which needs only one reciprocal per
// two rows in the chain of dependent operations. The next values are loaded ahead. Factors and right-hand
// sides overwrite the values that they replace.
template <int rights>
struct HalfSystem {
  double w, inside;
  double* r;      // right-hand sides of the half's first point
  double* terms;  // coefficients of the half's first point, which factors overwrite
  int apart;      // distance between slots in elements
  RowPair rows = {};
  double y[rights][2] = {};
  double weight,
      behind = 0;  // diagonal weight and previous point's coefficient in the first of two rows

  __device__ HalfSystem(const Line& line, double* data, int first_right, int system, int at, int apart)
      : w(line.fourth),
        inside(1 - 2 * w),
        r(data + first_right * apart + at),
        terms(data + (of_systems + 2 * system) * apart + at),
        apart(apart),
        weight(inside - w) {}

  __device__ Pair pair(int place) const { return {terms[place], terms[apart + place]}; }
  __device__ void put(int place, const double (&row)[2]) {
    terms[place] = row[0], terms[apart + place] = row[1];
  }
  __device__ void get(int place, double (&row)[2]) const {
    row[0] = terms[place], row[1] = terms[apart + place];
  }
  __device__ void get_right(int place, double (&right)[rights][2]) const {
#pragma unroll
    for (int m = 0; m < rights; ++m)
      right[m][0] = r[m * apart + place], right[m][1] = r[m * apart + place + 1];
  }

  // Eliminates the first row of a line alone. No unknown precedes it.
  __device__ void eliminate_first(double before_of_next) {
    const Pair here = pair(0);
    const double inverse = reciprocal(here.diagonal(weight));
    rows.second[0] = before_of_next * inverse, rows.second[1] = w * inverse;
    put(0, rows.second);
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      y[m][1] = r[m * apart] * inverse;
      r[m * apart] = y[m][1];
    }
    behind = here.next;
    weight = inside;
    ++r, ++terms;
  }

  // Eliminates rows 0 and 1. `after` is the coefficient of the next point in row 1.
  __device__ void eliminate(const Pair& here, const Pair& other, double after,
                            const double (&right)[rights][2]) {
    // The 2 x 2 matrix (a, b; c, d) of these rows' unknowns, after elimination of the previous unknowns.
    const double a = here.diagonal(weight) - w * rows.first[0] - behind * rows.second[0];
    const double b = other.before - w * rows.first[1] - behind * rows.second[1];
    const double c = here.next - w * rows.second[0], d = other.diagonal(inside) - w * rows.second[1];
    const Guess guess(a * d - b * c);
    rows = {{guess.times(d * w - b * after), guess.times(-b * w)},
            {guess.times(a * after - c * w), guess.times(a * w)}};
    const double inverse = guess.times(1.0);
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double one = right[m][0] - (w * y[m][0] + behind * y[m][1]), two = right[m][1] - w * y[m][1];
      y[m][0] = (d * one - b * two) * inverse;
      y[m][1] = (a * two - c * one) * inverse;
    }
    put(0, rows.first);
    put(1, rows.second);
#pragma unroll
    for (int m = 0; m < rights; ++m) r[m * apart] = y[m][0], r[m * apart + 1] = y[m][1];
    behind = other.next;
    weight = inside;
    r += 2, terms += 2;
  }

  // Eliminates all `count` rows. `after` is the coefficient of the other half's last point.
  __device__ void eliminate_all(int count, double after) {
    if (count % 2) eliminate_first(count > 1 ? terms[1] : after);
    if (count < 2) return;
    Pair here = pair(0), other = pair(1);
    double right[rights][2];
    get_right(0, right);
#pragma unroll 2
    for (int s = count / 2 - 1; s > 0; --s) {
      const Pair next = pair(2), later = pair(3);
      double right_next[rights][2];
      get_right(2, right_next);
      eliminate(here, other, next.before, right);
      here = next, other = later;
#pragma unroll
      for (int m = 0; m < rights; ++m) right[m][0] = right_next[m][0], right[m][1] = right_next[m][1];
    }
    eliminate(here, other, after, right);
  }

  // Joins the two halves: computes the half's last two unknowns and stores them in y.
  template <int across>
  __device__ void join(int count, const Lanes<across>& lanes) {
    const Middle middle(rows, lanes.of_other(rows));
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const Middle::Two u =
          middle.unknowns({y[m][0], y[m][1]}, {lanes.of_other(y[m][0]), lanes.of_other(y[m][1])});
      r[m * apart - 1] = y[m][1] = u.second;
      y[m][0] = u.first;
      if (count > 1) r[m * apart - 2] = y[m][0];
    }
  }

  // Computes the unknowns of the two rows before the current position r.
  __device__ void substitute(const RowPair& of, const double (&right)[rights][2]) {
    r -= 2, terms -= 2;
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double one = right[m][0] - of.first[0] * y[m][0] - of.first[1] * y[m][1];
      const double two = right[m][1] - of.second[0] * y[m][0] - of.second[1] * y[m][1];
      r[m * apart] = y[m][0] = one, r[m * apart + 1] = y[m][1] = two;
    }
  }
  __device__ void get_before(RowPair& of, double (&right)[rights][2], int place) const {
    get(place, of.first);
    get(place + 1, of.second);
    get_right(place, right);
  }
  __device__ void substitute_all(int count) {
    if (count < 2) return;
    r -= 2, terms -= 2;
    if (count > 3) {
      RowPair of, later;
      double right[rights][2], right_later[rights][2];
      get_before(of, right, -2);
#pragma unroll 2
      for (int s = count / 2 - 2; s > 0; --s) {
        get_before(later, right_later, -4);
        substitute(of, right);
        of = later;
#pragma unroll
        for (int m = 0; m < rights; ++m) right[m][0] = right_later[m][0], right[m][1] = right_later[m][1];
      }
      substitute(of, right);
    }
    if (count % 2 == 0) return;
    double row[2];
    get(-1, row);
#pragma unroll
    for (int m = 0; m < rights; ++m)
      r[m * apart - 1] = r[m * apart - 1] - row[0] * y[m][0] - row[1] * y[m][1];
  }
};

}  // namespace sextant::npb_sp
