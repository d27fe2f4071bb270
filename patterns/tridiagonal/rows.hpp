// Partition method for tridiagonal systems (H. H. Wang, "A Parallel Method for Tridiagonal Equations", 1981).
// Each thread holds consecutive rows in registers and eliminates their inner unknowns, which leaves two
// equations. Rows beyond the end of a system become the equation 1 x = 0.
#pragma once

#include "loop.hpp"

namespace sextant::tridiagonal {

// A segment of consecutive rows, reduced to two equations for its first and last unknown. `before` is the
// unknown just before the segment, `behind` the one just after it:
//     first + of_first[0] before + of_first[1] last   = of_first[2]
//     last  + of_last[0]  before + of_last[1]  behind = of_last[2]
template <typename T>
struct Segment {
  T of_first[3], of_last[3];
};

// An equation for the last unknown of a segment:
//     last + before * (last of the previous segment) + behind * (last of the next segment) = right
template <typename T>
struct Reduced {
  T before, behind, right;
};

// Eliminates the first unknown of the next segment from a segment's equation for its last unknown.
template <typename T>
SEXTANT_TRIDIAGONAL_INLINE Reduced<T> reduced(const T (&of_last)[3], const T (&of_first_behind)[3]) {
  const T r = 1 / (1 - of_last[1] * of_first_behind[0]);
  return {of_last[0] * r, -of_last[1] * of_first_behind[1] * r,
          (of_last[2] - of_last[1] * of_first_behind[2]) * r};
}

// Joins two neighbouring segments into one.
template <typename T>
SEXTANT_TRIDIAGONAL_INLINE Segment<T> joined(const Segment<T>& s, const Segment<T>& t) {
  // equation for the last unknown of s in terms of the unknown before s and the last unknown of t
  const Reduced<T> middle = reduced(s.of_last, t.of_first);
  const T r = 1 / (1 - t.of_last[0] * middle.behind);
  return {{s.of_first[0] - s.of_first[1] * middle.before, -s.of_first[1] * middle.behind,
           s.of_first[2] - s.of_first[1] * middle.right},
          {-t.of_last[0] * middle.before * r, t.of_last[1] * r,
           (t.of_last[2] - t.of_last[0] * middle.right) * r}};
}

// One step of parallel cyclic reduction: eliminates the neighbouring unknowns from equation `mine` by their
// equations `low` and `high`.
template <typename T>
SEXTANT_TRIDIAGONAL_INLINE Reduced<T> between(const Reduced<T>& low, const Reduced<T>& mine,
                                              const Reduced<T>& high) {
  const T r = 1 / (1 - mine.before * low.behind - mine.behind * high.before);
  return {-mine.before * low.before * r, -mine.behind * high.behind * r,
          (mine.right - mine.before * low.right - mine.behind * high.right) * r};
}

// K >= 2 consecutive rows. After `eliminate`, row i is the equation
//     x[i] + before[i] * (unknown before the rows) + last[i] * x[K-1] = right[i],
// but last[K-1] multiplies the unknown after the rows.
template <int K, typename T>
struct Rows {
  T before[K], last[K], right[K];

  // Eliminates the inner unknowns. Row i is a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i].
  SEXTANT_TRIDIAGONAL_INLINE void eliminate(const T* a, const T* b, const T* c, const T* d) {
    T r = 1 / b[0];
    before[0] = a[0] * r, last[0] = c[0] * r, right[0] = d[0] * r;
    SEXTANT_TRIDIAGONAL_UNROLL
    for (int i = 1; i < K; ++i) {
      r = 1 / (b[i] - a[i] * last[i - 1]);
      before[i] = -a[i] * before[i - 1] * r;
      last[i] = c[i] * r;
      right[i] = (d[i] - a[i] * right[i - 1]) * r;
    }
    SEXTANT_TRIDIAGONAL_UNROLL
    for (int i = K - 3; i >= 0; --i) {
      before[i] -= last[i] * before[i + 1];
      right[i] -= last[i] * right[i + 1];
      last[i] *= -last[i + 1];
    }
  }

  SEXTANT_TRIDIAGONAL_INLINE Segment<T> segment() const {
    return {{before[0], last[0], right[0]}, {before[K - 1], last[K - 1], right[K - 1]}};
  }

  // Computes all unknowns from the unknown before the rows and the last unknown of the rows.
  SEXTANT_TRIDIAGONAL_INLINE void finish(T unknown_before, T unknown_last, T* x) const {
    SEXTANT_TRIDIAGONAL_UNROLL
    for (int i = 0; i < K - 1; ++i) x[i] = right[i] - before[i] * unknown_before - last[i] * unknown_last;
    x[K - 1] = unknown_last;
  }
};

// Computes the first K - 1 unknowns of the rows by the Thomas algorithm. The unknown before the rows and the
// last unknown of the rows are given.
template <int K, typename T>
SEXTANT_TRIDIAGONAL_INLINE void solve_between(const T* a, const T* b, const T* c, const T* d,
                                              T unknown_before, T unknown_last, T* x) {
  T gamma[K], gamma_before = 0, x_before = unknown_before;
  SEXTANT_TRIDIAGONAL_UNROLL
  for (int i = 0; i < K - 1; ++i) {
    const T r = 1 / (b[i] - a[i] * gamma_before);
    gamma[i] = gamma_before = c[i] * r;
    x[i] = x_before = (d[i] - a[i] * x_before) * r;
  }
  x[K - 1] = unknown_last;
  SEXTANT_TRIDIAGONAL_UNROLL
  for (int i = K - 2; i >= 0; --i) x[i] -= gamma[i] * x[i + 1];
}

}  // namespace sextant::tridiagonal
