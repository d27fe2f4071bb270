// Horizontal sums of several SIMD vectors at once, and loads of the first lanes of a vector. A Square holds
// as many vectors as a vector has lanes. Each variant compiles its own copy with its own flags.
#pragma once

#include <cstdint>

#if defined(__AVX512F__)
  #include <immintrin.h>
#endif

#include "toolbox/host/turn.hpp"

namespace sextant {
namespace {

// Replaces each pair of rows that are `step` apart by one row. Each lane of the new row is the sum of two
// lanes of one old row that are `step` apart.
template <int step, typename T>
inline __attribute__((always_inline)) void add_pairs(Square<T>& square) {
  using Rows = Square<T>;
#pragma GCC unroll 16
  for (int r = 0; r < Rows::lanes; r += 2 * step) {
    const typename Rows::Row upper = square.rows[r], lower = square.rows[r + step];
    square.rows[r] =
        Rows::template picked<step, false>(upper, lower) + Rows::template picked<step, true>(upper, lower);
  }
  if constexpr (2 * step < Rows::lanes) add_pairs<2 * step>(square);
}

// Returns a vector whose lane k is the sum of all lanes of rows[k]. Destroys the rows.
template <typename T>
inline __attribute__((always_inline)) typename Square<T>::Row sums_of_lanes(Square<T>& square) {
  add_pairs<1>(square);
  return square.rows[0];
}

#if defined(__AVX512F__)
// Masks for sixteen ranges. Range r begins at from[r] and ends at from[r + 1]. lanes[r] has one bit set for
// each of the range's first 16 elements. Bit r of `longer` is set if range r has more than 16 elements.
struct Ranges {
  alignas(64) std::uint32_t lanes[16];
  unsigned longer;

  explicit Ranges(const std::int32_t* from) {
    const __m512i count = _mm512_sub_epi32(_mm512_loadu_si512(from + 1), _mm512_loadu_si512(from));
    const __m512i one = _mm512_set1_epi32(1);
    _mm512_store_si512(lanes, _mm512_sub_epi32(_mm512_maskz_sllv_epi32(0xFFFF, one, count), one));
    longer = _mm512_cmpgt_epi32_mask(count, _mm512_set1_epi32(16));
  }
};

// first_lanes returns a mask of the first `count` lanes. load_lanes loads the lanes in a mask and sets the
// other lanes to 0.
template <typename T>
unsigned first_lanes(std::int64_t count) {
  constexpr int lanes = Square<T>::lanes;
  return (1u << (count < lanes ? count : lanes)) - 1;
}
inline typename Square<float>::Row load_lanes(unsigned which, const float* from) {
  return reinterpret_cast<typename Square<float>::Row>(
      _mm512_maskz_loadu_ps(static_cast<__mmask16>(which), from));
}
inline typename Square<double>::Row load_lanes(unsigned which, const double* from) {
  return reinterpret_cast<typename Square<double>::Row>(
      _mm512_maskz_loadu_pd(static_cast<__mmask8>(which), from));
}
inline typename Square<std::int32_t>::Row load_lanes(unsigned which, const std::int32_t* from) {
  return reinterpret_cast<typename Square<std::int32_t>::Row>(
      _mm512_maskz_loadu_epi32(static_cast<__mmask16>(which), from));
}
#endif

}  // namespace
}  // namespace sextant
