// Regions of the variant openacc.cells: per level, one on the way down the V-cycle and two on the way up. An
// iteration processes a column of cells along z. A single gang processes all small grids in one region.
// Regions map no data, because mapping costs more than a launch in GCC
// (docs/reference/openacc.md#regions-that-map-nothing). Their parameters are in the device variable
// `acc_grids`, where each region also stores the next region's level.
#pragma once

#include "cells.hpp"
#include "toolbox/openacc/memory.hpp"

namespace sextant::npb_mg {

// Parameters of the regions. A level is log2 of the grid's side.
struct AccGrids {
  double *u, *r, *coarse_u, *coarse_r, *parts, *norms;
  const double* v;
  int finest, alone;  // finest: the finest level; alone: the largest level that the single gang processes
  int planes;         // log2 of the maximum number of coarse planes per column
  double centre, face, edge;
  int restricting[2], correcting, smoothing;  // levels of the next regions
};
AccGrids acc_grids;
#pragma acc declare create(acc_grids)

namespace {

constexpr int queue = 1, length = 32, sum_parts = 4096, workers = 16;

// ---- columns of cells of a grid with side 2^bits ----

// Returns log2 of the coarse planes per column. Small grids have shorter columns, so that enough of them keep
// a GPU busy.
SEXTANT_INLINE int plane_bits(int bits, int most) {
  const int half = bits - 1, free = 3 * half - 17;
  const int wanted = free < most ? free : most;
  return wanted < 0 ? 0 : wanted < half ? wanted : half;
}
SEXTANT_INLINE int column_count(int bits, int most) { return 1 << (3 * (bits - 1) - plane_bits(bits, most)); }

// The column of cells of iteration i. A gang processes 32 columns that are adjacent along x, if there are
// that many. Four consecutive gangs process four adjacent rows.
struct Column {
  int x, y, first, last;  // position of the cell; coarse planes first … last - 1
  SEXTANT_INLINE Column(int bits, int most, int i) {
    const int half = bits - 1, across = half < 5 ? half : 5, up = half < 2 ? half : 2;
    const int planes = plane_bits(bits, most);
    const auto take = [&i](int count) {
      const int taken = i & ((1 << count) - 1);
      i >>= count;
      return taken;
    };
    x = take(across);
    y = take(up);
    x |= take(half - across) << across;
    y |= take(half - up) << up;
    first = i << planes;
    last = first + (1 << planes);
  }
};

SEXTANT_INLINE std::int64_t plane_at(int bits, int z) {
  return static_cast<std::int64_t>(z & ((1 << bits) - 1)) << 2 * bits;
}
SEXTANT_INLINE int offset_of(int bits) { return ((1 << 3 * bits) - 8) / 7; }

// Returns the weights of A. This is a function, because GCC would map a constant whose address is taken.
SEXTANT_INLINE Weights of_a() { return {a_centre, 0, a_edge, a_corner}; }

// ---- down the V-cycle: residual and restriction ----

// Returns the restriction of points 2c … 2c + 2 along one direction.
SEXTANT_INLINE double weighed(double a, double b, double c) { return 0.5 * (a + c) + b; }

// Indices of the points of a plane that a coarse point needs: three rows of three.
struct Sample {
  int x, beyond, low, high, after;
  SEXTANT_INLINE Sample(int bits, int cell_x, int cell_y) {
    const int mask = (1 << bits) - 1;
    x = 2 * cell_x;
    beyond = (x + 2) & mask;
    low = 2 * cell_y << bits;
    high = (2 * cell_y + 1) << bits;
    after = ((2 * cell_y + 2) & mask) << bits;
  }
  SEXTANT_INLINE Three three(const double* row) const {
    double two[2];
    openacc::load_pack(row + x, two);
    return {two[0], two[1], row[beyond]};
  }
  SEXTANT_INLINE Nine nine(const double* plane) const {
    return {three(plane + low), three(plane + high), three(plane + after)};
  }
};
SEXTANT_INLINE double weighed(const Three& t) { return weighed(t.west, t.own, t.east); }
SEXTANT_INLINE double weighed(const Nine& n) {
  return weighed(weighed(n.before), weighed(n.own), weighed(n.after));
}

// A row of five values of u. Five such rows in a plane surround a coarse point.
struct Five {
  double a, b, c, d, e;
};
struct Wide {
  int west, x, beyond, rows[5];
  SEXTANT_INLINE Wide(int bits, int cell_x, int cell_y) {
    const int mask = (1 << bits) - 1;
    x = 2 * cell_x;
    west = (x - 1) & mask;
    beyond = (x + 2) & mask;
    for (int k = 0; k < 5; ++k) rows[k] = ((2 * cell_y - 1 + k) & mask) << bits;
  }
  SEXTANT_INLINE Five five(const double* row) const {
    double two[2], more[2];
    openacc::load_pack(row + x, two);
    openacc::load_pack(row + beyond, more);
    return {row[west], two[0], two[1], more[0], more[1]};
  }
};

// Computes A u for three points of a row, plane by plane. The class Sums does the same for a cell.
struct RowSums {
  Three begun = {}, below = {};
  SEXTANT_INLINE Three push(const Five& before, const Five& own, const Five& after) {
    Three same, next;
    in_plane(of_a(), own.b, (own.a + own.c) + (before.b + after.b),
             (before.a + before.c) + (after.a + after.c), same.west, next.west);
    in_plane(of_a(), own.c, (own.b + own.d) + (before.c + after.c),
             (before.b + before.d) + (after.b + after.d), same.own, next.own);
    in_plane(of_a(), own.d, (own.c + own.e) + (before.d + after.d),
             (before.c + before.e) + (after.c + after.e), same.east, next.east);
    const Three done = plus(begun, next);
    begun = plus(same, below);
    below = next;
    return done;
  }
};
struct NineSums {
  RowSums before, own, after;
  SEXTANT_INLINE Nine push(const Wide& at, const double* plane) {
    const Five a = at.five(plane + at.rows[0]), b = at.five(plane + at.rows[1]),
               c = at.five(plane + at.rows[2]), d = at.five(plane + at.rows[3]),
               e = at.five(plane + at.rows[4]);
    return {before.push(a, b, c), own.push(b, c, d), after.push(c, d, e)};
  }
};
SEXTANT_INLINE Three less(const Three& a, const Three& b) {
  return {a.west - b.west, a.own - b.own, a.east - b.east};
}
SEXTANT_INLINE Nine less(const Nine& a, const Nine& b) {
  return {less(a.before, b.before), less(a.own, b.own), less(a.after, b.after)};
}

// Computes r = v - A u on the finest grid and restricts it without storing r.
void residual_restricted(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int bits = acc_grids.finest, most = acc_grids.planes, count = column_count(bits, most);
    const double *const u = acc_grids.u, *const v = acc_grids.v;
    double* const coarse = acc_grids.coarse_r + offset_of(bits - 1);
#pragma acc loop gang vector
    for (int i = 0; i < count; ++i) {
      if (i == 0) {
        acc_grids.restricting[0] = bits - 1;
        acc_grids.correcting = acc_grids.alone + 1;
      }
      const Column column(bits, most, i);
      const Wide wide(bits, column.x, column.y);
      const Sample sample(bits, column.x, column.y);
      NineSums a_u;
      a_u.push(wide, u + plane_at(bits, 2 * column.first - 1));
      a_u.push(wide, u + plane_at(bits, 2 * column.first));
      double below = 0, middle = 0;
      for (int plane = 2 * column.first; plane <= 2 * column.last; ++plane) {
        const Nine sides = sample.nine(v + plane_at(bits, plane));
        const double here = weighed(less(sides, a_u.push(wide, u + plane_at(bits, plane + 1))));
        if (plane & 1) {
          middle = here;
        } else {
          if (plane > 2 * column.first)
            coarse[plane_at(bits - 1, (plane - 1) >> 1) + (column.y << (bits - 1)) + column.x] =
                0.5 * weighed(below, middle, here);
          below = here;
        }
      }
    }
  }
}

// Restricts r to the next coarser grid. Two instances (`turn`) alternate, because a region reads its own
// level while it stores the level of the next region.
template <int turn>
void restricted_level(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int bits = acc_grids.restricting[turn], most = acc_grids.planes, count = column_count(bits, most);
    const double* const r = acc_grids.coarse_r + offset_of(bits);
    double* const coarse = acc_grids.coarse_r + offset_of(bits - 1);
#pragma acc loop gang vector
    for (int i = 0; i < count; ++i) {
      if (i == 0) acc_grids.restricting[1 - turn] = bits - 1;
      const Column column(bits, most, i);
      const Sample sample(bits, column.x, column.y);
      double above = weighed(sample.nine(r + plane_at(bits, 2 * column.first)));
      for (int z = column.first; z < column.last; ++z) {
        const double low = above, middle = weighed(sample.nine(r + plane_at(bits, 2 * z + 1)));
        above = weighed(sample.nine(r + plane_at(bits, 2 * z + 2)));
        coarse[plane_at(bits - 1, z) + (column.y << (bits - 1)) + column.x] =
            0.5 * weighed(low, middle, above);
      }
    }
  }
}

// ---- up the V-cycle: correction, residual and smoother ----

// Computes u + Q z for a cell and its neighbours, plane by plane. On coarser grids u is 0.
template <bool finest>
struct Corrected {
  const double *u, *z;
  int bits;
  Around at;
  Coarse coarse;
  Nine before;

  SEXTANT_INLINE Corrected(int bits_, const double* u_, const double* z_, const Column& column)
      : u(u_), z(z_), bits(bits_), at(bits_, column.x, column.y), coarse(bits_ - 1, column.x, column.y) {
    before = coarse.nine(z + plane_at(bits - 1, column.first - 1));
  }
  SEXTANT_INLINE Patch added(const Patch& q, int plane) const {
    if constexpr (finest)
      return plus(at.patch(u + plane_at(bits, plane)), q);
    else
      return q;
  }
  // Return u + Q z in the fine planes 2c (`even`) and 2c + 1 (`odd`). Must be called in this order.
  SEXTANT_INLINE Patch even(int c, Nine& own) const {
    own = coarse.nine(z + plane_at(bits - 1, c));
    return added(spread(0.125, plus(before, own)), 2 * c);
  }
  SEXTANT_INLINE Patch odd(int c, const Nine& own) {
    before = own;
    return added(spread(0.25, own), 2 * c + 1);
  }
};

SEXTANT_INLINE Cell less(const Cell& a, const Cell& b) {
  return {a.low_left - b.low_left, a.low_right - b.low_right, a.high_left - b.high_left,
          a.high_right - b.high_right};
}
SEXTANT_INLINE Cell plus(const Cell& a, const Cell& b) {
  return {a.low_left + b.low_left, a.low_right + b.low_right, a.high_left + b.high_left,
          a.high_right + b.high_right};
}

// Computes r = v - A (u + Q z). On coarser grids r overwrites v in the same array, so an iteration reads only
// its own points of that array.
template <bool finest>
void corrected_residual(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int bits = finest ? acc_grids.finest : acc_grids.correcting, most = acc_grids.planes;
    const int count = column_count(bits, most);
    const double *const u = acc_grids.u, *const z = acc_grids.coarse_u + offset_of(bits - 1);
    double* const r = finest ? acc_grids.r : acc_grids.coarse_r + offset_of(bits);
    const double* const v = finest ? acc_grids.v : r;
#pragma acc loop gang vector
    for (int i = 0; i < count; ++i) {
      if (i == 0) acc_grids.smoothing = bits;
      const Column column(bits, most, i);
      Corrected<finest> corrected(bits, u, z, column);
      const auto finish = [&](int plane, const Cell& a_u) {
        const std::int64_t at = plane_at(bits, plane);
        corrected.at.store(r + at, less(corrected.at.cell(v + at), a_u));
      };
      Sums sums;
      sums.push(of_a(), corrected.added(spread(0.25, corrected.before), 2 * column.first - 1));
      Nine own;
      for (int c = column.first; c < column.last; ++c) {
        const Cell a_u = sums.push(of_a(), corrected.even(c, own));
        if (c > column.first) finish(2 * c - 1, a_u);
        finish(2 * c, sums.push(of_a(), corrected.odd(c, own)));
      }
      finish(2 * column.last - 1, sums.push(of_a(), corrected.even(column.last, own)));
    }
  }
}

// Computes u = u + Q z + S r.
template <bool finest>
void corrected_smooth(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int bits = finest ? acc_grids.finest : acc_grids.smoothing, most = acc_grids.planes;
    const int count = column_count(bits, most);
    const Weights weights = {acc_grids.centre, acc_grids.face, acc_grids.edge, 0};
    const double *const z = acc_grids.coarse_u + offset_of(bits - 1), *const r = finest ? acc_grids.r
                                                                                        : acc_grids.coarse_r +
                                                                                              offset_of(bits);
    double* const u = finest ? acc_grids.u : acc_grids.coarse_u + offset_of(bits);
#pragma acc loop gang vector
    for (int i = 0; i < count; ++i) {
      if (i == 0) acc_grids.correcting = bits + 1;
      const Column column(bits, most, i);
      const Around at(bits, column.x, column.y);
      const Coarse coarse(bits - 1, column.x, column.y);
      const auto push = [&](Sums& sums, int plane) {
        return sums.push(weights, at.patch(r + plane_at(bits, plane)));
      };
      const auto finish = [&](int plane, const Cell& change) {
        double* const to = u + plane_at(bits, plane);
        at.store(to, finest ? plus(at.cell(to), change) : change);
      };
      Sums sums;
      push(sums, 2 * column.first - 1);
      push(sums, 2 * column.first);
      Nine before = coarse.nine(z + plane_at(bits - 1, column.first - 1));
      for (int c = column.first; c < column.last; ++c) {
        const Nine own = coarse.nine(z + plane_at(bits - 1, c));
        finish(2 * c, plus(push(sums, 2 * c + 1), spread_cell(0.125, plus(before, own))));
        finish(2 * c + 1, plus(push(sums, 2 * c + 2), spread_cell(0.25, own)));
        before = own;
      }
    }
  }
}

// ---- small grids: one gang, whose workers wait for each other after every loop ----

SEXTANT_INLINE double at_point(const Weights& w, const double* field, int bits, int x, int y, int z) {
  const int mask = (1 << bits) - 1, rows[3] = {((y - 1) & mask) << bits, y << bits, ((y + 1) & mask) << bits};
  const int west = (x - 1) & mask, east = (x + 1) & mask;
  double sum = 0;
  for (int k = -1; k <= 1; ++k) {
    const double *const plane = field + plane_at(bits, z + k), *const low = plane + rows[0],
                        *const own = plane + rows[1], *const high = plane + rows[2];
    double same, next;
    in_plane(w, own[x], (own[west] + own[east]) + (low[x] + high[x]),
             (low[west] + low[east]) + (high[west] + high[east]), same, next);
    sum += k == 0 ? same : next;
  }
  return sum;
}

SEXTANT_INLINE double interpolated(const double* z, int bits, int x, int y, int k) {
  const int half = bits - 1, mask = (1 << half) - 1;
  const int x0 = ((x - 1) >> 1) & mask, x1 = x >> 1, y0 = (((y - 1) >> 1) & mask) << half,
            y1 = y >> 1 << half, k0 = (((k - 1) >> 1) & mask) << 2 * half, k1 = k >> 1 << 2 * half;
  return 0.125 * (((z[k0 + y0 + x0] + z[k0 + y0 + x1]) + (z[k0 + y1 + x0] + z[k0 + y1 + x1])) +
                  ((z[k1 + y0 + x0] + z[k1 + y0 + x1]) + (z[k1 + y1 + x0] + z[k1 + y1 + x1])));
}

void small_levels() {
#pragma acc parallel num_gangs(1) num_workers(workers) vector_length(length) async(queue)
  {
    double *const all_u = acc_grids.coarse_u, *const all_r = acc_grids.coarse_r;
    const Weights restriction = {0.5, 0.25, 0.125, 0.0625},
                  smoother_ = {acc_grids.centre, acc_grids.face, acc_grids.edge, 0};
    const int alone = acc_grids.alone;
    for (int bits = alone; bits > 1; --bits) {
      const int half = bits - 1, mask = (1 << half) - 1;
      const double* const fine = all_r + offset_of(bits);
      double* const coarse = all_r + offset_of(half);
#pragma acc loop worker vector
      for (int i = 0; i < 1 << 3 * half; ++i)
        coarse[i] = at_point(restriction, fine, bits, 2 * (i & mask) + 1, 2 * (i >> half & mask) + 1,
                             2 * (i >> 2 * half) + 1);
    }
#pragma acc loop worker vector
    for (int i = 0; i < 8; ++i) all_u[i] = at_point(smoother_, all_r, 1, i & 1, i >> 1 & 1, i >> 2);
    for (int bits = 2; bits <= alone; ++bits) {
      const int count = 1 << 3 * bits, mask = (1 << bits) - 1;
      double *const u = all_u + offset_of(bits), *const r = all_r + offset_of(bits);
      const double* const z = all_u + offset_of(bits - 1);
#pragma acc loop worker vector
      for (int i = 0; i < count; ++i) u[i] = interpolated(z, bits, i & mask, i >> bits & mask, i >> 2 * bits);
#pragma acc loop worker vector
      for (int i = 0; i < count; ++i)
        r[i] -= at_point(of_a(), u, bits, i & mask, i >> bits & mask, i >> 2 * bits);
#pragma acc loop worker vector
      for (int i = 0; i < count; ++i)
        u[i] += at_point(smoother_, r, bits, i & mask, i >> bits & mask, i >> 2 * bits);
    }
  }
}

// ---- before and after the cycles ----

void clear_u(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int bits = acc_grids.finest, most = acc_grids.planes, count = column_count(bits, most);
    double* const u = acc_grids.u;
    const int each = (1 << 3 * bits) / count;
#pragma acc loop gang vector
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < each; ++k) u[i + k * count] = 0;
  }
}

// Computes r = v - A u, and the sum of squares of each column.
void residual_squared(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int bits = acc_grids.finest, most = acc_grids.planes, count = column_count(bits, most);
    const double *const u = acc_grids.u, *const v = acc_grids.v;
    double *const r = acc_grids.r, *const parts = acc_grids.parts;
#pragma acc loop gang vector
    for (int i = 0; i < count; ++i) {
      const Column column(bits, most, i);
      const Around at(bits, column.x, column.y);
      Sums sums;
      sums.push(of_a(), at.patch(u + plane_at(bits, 2 * column.first - 1)));
      sums.push(of_a(), at.patch(u + plane_at(bits, 2 * column.first)));
      double squares = 0;
      for (int z = 2 * column.first; z < 2 * column.last; ++z) {
        const std::int64_t plane = plane_at(bits, z);
        const Cell one = less(at.cell(v + plane), sums.push(of_a(), at.patch(u + plane_at(bits, z + 1))));
        at.store(r + plane, one);
        squares += (one.low_left * one.low_left + one.low_right * one.low_right) +
                   (one.high_left * one.high_left + one.high_right * one.high_right);
      }
      parts[i] = squares;
    }
  }
}

// Adds the sums of all columns in a fixed order.
void added_parts() {
#pragma acc parallel num_gangs(sum_parts / length) vector_length(length) async(queue)
  {
    const int count = column_count(acc_grids.finest, acc_grids.planes);
    double *const parts = acc_grids.parts, *const sums = parts + count;
#pragma acc loop gang vector
    for (int i = 0; i < sum_parts; ++i) {
      double sum = 0;
      for (int k = i; k < count; k += sum_parts) sum += parts[k];
      sums[i] = sum;
    }
  }
}
template <int which>
void put_norm() {
#pragma acc parallel num_gangs(1) num_workers(workers) vector_length(length) async(queue)
  {
    const int bits = acc_grids.finest;
    double *const first = acc_grids.parts + column_count(bits, acc_grids.planes),
                  *const second = first + sum_parts, *const third = second + workers * length;
#pragma acc loop worker vector
    for (int i = 0; i < workers * length; ++i) {
      double sum = 0;
      for (int k = i; k < sum_parts; k += workers * length) sum += first[k];
      second[i] = sum;
    }
#pragma acc loop worker vector
    for (int i = 0; i < length; ++i) {
      double sum = 0;
      for (int k = i; k < workers * length; k += length) sum += second[k];
      third[i] = sum;
    }
#pragma acc loop worker vector
    for (int i = 0; i < 1; ++i) {
      double sum = 0;
      for (int k = 0; k < length; ++k) sum += third[k];
      acc_grids.norms[which] = __builtin_sqrt(sum / static_cast<double>(std::int64_t{1} << 3 * bits));
    }
  }
}

}  // namespace
}  // namespace sextant::npb_mg
