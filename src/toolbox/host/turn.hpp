// Transposes square blocks of a matrix in SIMD registers. A block has as many rows as a vector has lanes.
// Each variant compiles its own copy with its own flags.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "toolbox/host/vector_bytes.hpp"

namespace sextant {
namespace {

#define SEXTANT_TURN_INLINE inline __attribute__((always_inline))

// A square block in registers. A transposition exchanges elements between rows at distances of 1, 2, 4 and so
// on.
template <typename T>
struct Square {
  static constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  typedef T Row __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  using Lane = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typedef Lane Lanes __attribute__((vector_size(vector_bytes)));
  Row rows[lanes];

  void read(const T* from, std::int64_t across) {
#pragma GCC unroll 16
    for (int r = 0; r < lanes; ++r) rows[r] = *reinterpret_cast<const Row*>(from + r * across);
  }

  // Shuffle index for the exchange between two rows that are `step` apart. Returns the source lane of lane k
  // of the first result row, or of the second one if `latter` is true. Values from `lanes` on are lanes of
  // the second source row.
  static constexpr int source(int step, bool latter, int k) {
    return latter ? (k & step ? k + lanes : k + step) : (k & step ? k - step + lanes : k);
  }

  // The indices must be compile-time constants. Otherwise the compiler computes them at each use.
  template <int step, bool latter, int... k>
  static SEXTANT_TURN_INLINE Row picked(const Row& one, const Row& other, std::integer_sequence<int, k...>) {
#ifdef __clang__
    return __builtin_shufflevector(one, other, source(step, latter, k)...);
#else
    return __builtin_shuffle(one, other, Lanes{source(step, latter, k)...});
#endif
  }
  template <int step, bool latter>
  static SEXTANT_TURN_INLINE Row picked(const Row& one, const Row& other) {
    return picked<step, latter>(one, other, std::make_integer_sequence<int, lanes>());
  }

  template <int step = 1>
  SEXTANT_TURN_INLINE void turn() {
#pragma GCC unroll 16
    for (int r = 0; r < lanes; ++r)
      if (!(r & step)) {
        const Row upper = rows[r], lower = rows[r + step];
        rows[r] = picked<step, false>(upper, lower);
        rows[r + step] = picked<step, true>(upper, lower);
      }
    if constexpr (2 * step < lanes) turn<2 * step>();
  }
};
#undef SEXTANT_TURN_INLINE

// Transposes one square block: to[k * stride + r] = from[r * across + k].
template <typename T>
void turn_square(const T* from, std::int64_t across, T* to, std::int64_t stride) {
  using Row = typename Square<T>::Row;
  Square<T> square;
  square.read(from, across);
  square.turn();
#pragma GCC unroll 16
  for (int k = 0; k < Square<T>::lanes; ++k) *reinterpret_cast<Row*>(to + k * stride) = square.rows[k];
}

// Transposes `rows` rows and `columns` columns in the same way. Both must be multiples of the number of
// lanes.
template <int rows, int columns, typename T>
void turn_squares(const T* from, std::int64_t across, T* to, std::int64_t stride) {
  static_assert(rows % Square<T>::lanes == 0 && columns % Square<T>::lanes == 0);
  for (int r = 0; r < rows; r += Square<T>::lanes)
    for (int k = 0; k < columns; k += Square<T>::lanes)
      turn_square(from + r * across + k, across, to + k * stride + r, stride);
}

}  // namespace
}  // namespace sextant
