// Partitioned solution for OpenACC and OpenMP offload, in three regions without communication between
// threads. First, each thread reduces 16 rows (a piece) to two equations. Then one thread per system solves
// these equations. Then each thread solves a piece, for which it reads the rows again.
#pragma once

#include "rows.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::tridiagonal {

inline constexpr int piece = 16;  // number of rows per piece

// Returns the number of pieces per system.
inline std::int64_t pieces_of(const Problem& problem, int rows = piece) {
  return (length_of(problem) + rows - 1) / rows;
}

// Loads the first `there` of `rows` elements and sets the others to `otherwise`. `width` is the number of
// elements per access.
template <int width, int rows, typename T>
SEXTANT_INLINE void load_piece(const T* from, std::int64_t there, T otherwise, T* to) {
#pragma GCC unroll 16
  for (int i = 0; i < rows; i += width) {
    if (i < there)
      openacc::load<width>(from + i, to + i);
    else
      for (int k = 0; k < width; ++k) to[i + k] = otherwise;
  }
}

// The coefficients of a piece's rows.
template <int width, int rows, typename T>
struct Piece {
  T a[rows], b[rows], c[rows], d[rows];

  SEXTANT_INLINE Piece(const T* from_a, const T* from_b, const T* from_c, const T* from_d,
                       std::int64_t there) {
    load_piece<width, rows>(from_a, there, T(0), a);
    load_piece<width, rows>(from_b, there, T(1), b);
    load_piece<width, rows>(from_c, there, T(0), c);
    load_piece<width, rows>(from_d, there, T(0), d);
  }
};

// Loads and eliminates the rows of a piece. It uses plain arrays, because GCC 12 would put a `Piece` into a
// stack frame that all lanes of a simd loop share (tests/kernels/target_frames_test.py).
template <int width, int rows = piece, typename T>
SEXTANT_INLINE Rows<rows, T> eliminated(const T* a, const T* b, const T* c, const T* d, std::int64_t there) {
  T of_a[rows], of_b[rows], of_c[rows], of_d[rows];
  load_piece<width, rows>(a, there, T(0), of_a);
  load_piece<width, rows>(b, there, T(1), of_b);
  load_piece<width, rows>(c, there, T(0), of_c);
  load_piece<width, rows>(d, there, T(0), of_d);
  Rows<rows, T> reduced;
  reduced.eliminate(of_a, of_b, of_c, of_d);
  return reduced;
}

// Stores the two equations of a piece as six numbers.
template <typename T>
SEXTANT_INLINE void store_segment(const Segment<T>& segment, T* to) {
  for (int e = 0; e < 3; ++e) to[e] = segment.of_first[e], to[3 + e] = segment.of_last[e];
}

// Computes the last unknown of each piece of a system from the pieces' equations. Stores it in place of the
// last of the piece's six numbers.
template <typename T>
SEXTANT_INLINE void solve_ends(std::int64_t pieces, T* segments) {
  T gamma = 0, x = 0;
  for (std::int64_t p = 0; p < pieces; ++p) {
    T* at = segments + 6 * p;
    const T of_last[3] = {at[3], at[4], at[5]};
    T behind[3] = {0, 0, 0};
    if (p + 1 < pieces)
      for (int e = 0; e < 3; ++e) behind[e] = at[6 + e];
    const Reduced<T> row = reduced(of_last, behind);
    const T r = 1 / (1 - row.before * gamma);
    gamma = row.behind * r;
    x = (row.right - row.before * x) * r;
    at[4] = gamma, at[5] = x;
  }
  for (std::int64_t p = pieces - 2; p >= 0; --p) {
    x = segments[6 * p + 5] - segments[6 * p + 4] * x;
    segments[6 * p + 5] = x;
  }
}

template <int width, int rows, typename T>
SEXTANT_INLINE void store_piece(const T* solved, std::int64_t there, T* x) {
#pragma GCC unroll 16
  for (int i = 0; i < rows; i += width)
    if (i < there) openacc::store<width>(x + i, solved + i);
}

// Computes the unknowns of a piece. `last` points to the piece's last unknown. The last unknown of the
// previous piece is six numbers before it.
template <int width, typename T>
SEXTANT_INLINE void finish_piece(const Rows<piece, T>& reduced, bool is_first, const T* last,
                                 std::int64_t there, T* x) {
  T solved[piece];
  reduced.finish(is_first ? T(0) : *(last - 6), *last, solved);
  store_piece<width, piece>(solved, there, x);
}

// Calls function.template operator()<width>(), where width is the pack width if systems start at multiples of
// it, and otherwise 1.
template <typename T, typename Function>
void with_packs(const Problem& problem, Function&& function) {
  if (length_of(problem) % openacc::pack_width<T> == 0)
    function.template operator()<openacc::pack_width<T>>();
  else
    function.template operator()<1>();
}

}  // namespace sextant::tridiagonal
