// Joins the two halves of a pentadiagonal system. Each half is eliminated from one end of the line.
#pragma once

#include "lines.hpp"

namespace sextant::npb_sp {

// Two adjacent rows after elimination of the previous ones. The first row is x + first[0] x' + first[1] x'' =
// y, where x' and x'' are the next two unknowns after both rows. The second row has the coefficients
// `second`.
struct RowPair {
  double first[2], second[2];
};

// Converts two eliminated rows to a RowPair, by eliminating the second row's unknown from the first row. The
// caller must replace the first row's right-hand side y by y - next y'.
SEXTANT_FLOW RowPair both_of(const Rows& rows) {
  const Row &a = rows.two, &b = rows.one;
  return {{a.second - a.next * b.next, -a.next * b.second}, {b.next, b.second}};
}

// Computes the last two unknowns u of one half. Let v be the last two unknowns of the other half; in u and v,
// the last unknown comes first. The eliminated halves give u = y - M v and v = y' - M' u.
struct Middle {
  double m11, m12, m21, m22, k11, k12, k21, k22, inverse;
  SEXTANT_FLOW Middle(const RowPair& rows, const RowPair& others)
      : m11(rows.second[0]), m12(rows.second[1]), m21(rows.first[0]), m22(rows.first[1]) {
    const double o11 = others.second[0], o12 = others.second[1], o21 = others.first[0], o22 = others.first[1];
    k11 = 1 - m11 * o11 - m12 * o21, k12 = -m11 * o12 - m12 * o22;
    k21 = -m21 * o11 - m22 * o21, k22 = 1 - m21 * o12 - m22 * o22;
    inverse = reciprocal(k11 * k22 - k12 * k21);
  }
  // Values of two rows. `second` belongs to the last row.
  struct Two {
    double first, second;
  };
  SEXTANT_FLOW Two unknowns(const Two& y, const Two& others) const {
    const double one = y.second - m11 * others.second - m12 * others.first,
                 two = y.first - m21 * others.second - m22 * others.first;
    return {(k11 * two - k21 * one) * inverse, (k22 * one - k12 * two) * inverse};
  }
};

}  // namespace sextant::npb_sp
