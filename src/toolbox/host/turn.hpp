// Small blocks of matrices turned in registers: squares of as many elements a side as a vector has. Each variant compiles its own copy with its
// own flags.
#pragma once

#include <cstdint>
#include <type_traits>

#include "toolbox/host/vector_bytes.hpp"

namespace sextant {
namespace {

// Neighbours by 1, 2, 4, … rows and lanes change places.
template <typename T>
struct Square {
  static constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  typedef T Row __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  using Lane = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typedef Lane Lanes __attribute__((vector_size(vector_bytes)));
  Row rows[lanes];

  // Which lanes of a row and of the one `step` further go to the former, or to the latter.
  static Lanes chosen(int step, bool latter) {
    Lanes from{};
    for (int k = 0; k < lanes; ++k)
      from[k] = latter ? (k & step ? k + lanes : k + step) : (k & step ? k - step + lanes : k);
    return from;
  }

  // Lane k: lane from[k] of `one`, or that many less `lanes` of `other`.
  static Row picked(const Row& one, const Row& other, const Lanes& from) {
#ifdef __clang__
    Row row{};
    for (int k = 0; k < lanes; ++k) row[k] = from[k] < lanes ? one[from[k]] : other[from[k] - lanes];
    return row;
#else
    return __builtin_shuffle(one, other, from);
#endif
  }

  void turn() {
#pragma GCC unroll 4
    for (int step = 1; step < lanes; step *= 2) {
      const Lanes former = chosen(step, false), latter = chosen(step, true);
#pragma GCC unroll 16
      for (int r = 0; r < lanes; ++r)
        if (!(r & step)) {
          const Row upper = rows[r], lower = rows[r + step];
          rows[r] = picked(upper, lower, former);
          rows[r + step] = picked(upper, lower, latter);
        }
    }
  }
};

// to[k * stride + r] = from[r * across + k] of a square.
template <typename T>
void turn_square(const T* from, std::int64_t across, T* to, std::int64_t stride) {
  using Row = typename Square<T>::Row;
  Square<T> square;
#pragma GCC unroll 16
  for (int r = 0; r < Square<T>::lanes; ++r)
    square.rows[r] = *reinterpret_cast<const Row*>(from + r * across);
  square.turn();
#pragma GCC unroll 16
  for (int k = 0; k < Square<T>::lanes; ++k) *reinterpret_cast<Row*>(to + k * stride) = square.rows[k];
}

// The same of `rows` rows and `columns` columns, both multiples of a square's.
template <int rows, int columns, typename T>
void turn_squares(const T* from, std::int64_t across, T* to, std::int64_t stride) {
  static_assert(rows % Square<T>::lanes == 0 && columns % Square<T>::lanes == 0);
  for (int r = 0; r < rows; r += Square<T>::lanes)
    for (int k = 0; k < columns; k += Square<T>::lanes)
      turn_square(from + r * across + k, across, to + k * stride + r, stride);
}

}  // namespace
}  // namespace sextant
