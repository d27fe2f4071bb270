// Sums of segments by 16-byte packs, for what compilers offload.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::segmented {

inline constexpr int under_way = 4;  // packs that a lane has loaded before it adds

// The elements from `begin` on, before `end`, by packs of the n elements of a, some of which are under way together.
template <typename T>
SEXTANT_INLINE T sum_of_packs(std::int64_t n, std::int64_t begin, std::int64_t end, const T* a) {
  constexpr int width = openacc::pack_width<T>;
  T sum = 0;
  std::int64_t at = begin / width * width;
  for (; at < end && at + width <= n; at += under_way * width) {
    T x[under_way][width];
#pragma GCC unroll 4
    for (int u = 0; u < under_way; ++u) {
      const std::int64_t pack = at + u * width;
      if (pack < end && pack + width <= n)
        openacc::load_pack(a + pack, x[u]);
      else
        for (int k = 0; k < width; ++k) x[u][k] = 0;
    }
#pragma GCC unroll 4
    for (int u = 0; u < under_way; ++u)
      for (int k = 0; k < width; ++k) {
        const std::int64_t i = at + u * width + k;
        sum += i >= begin && i < end ? x[u][k] : T(0);
      }
  }
  const std::int64_t whole = n / width * width;
  for (std::int64_t i = whole > begin ? whole : begin; i < end; ++i)
    sum += a[i];  // behind the last whole pack of a
  return sum;
}

// Lane `lane` of `lanes` has every so manieth pack of a segment, and the elements before the first and behind the last.
template <int lanes, typename T>
SEXTANT_INLINE T sum_of_lane(std::int64_t begin, std::int64_t end, int lane, const T* a) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t first = (begin + width - 1) / width * width,
                     packs = end > first ? (end - first) / width : 0;
  T sum = 0;
  std::int64_t pack = lane;
  for (; pack + (under_way - 1) * lanes < packs; pack += under_way * lanes) {
    T x[under_way][width];
#pragma GCC unroll 4
    for (int u = 0; u < under_way; ++u) openacc::load_pack(a + first + (pack + u * lanes) * width, x[u]);
#pragma GCC unroll 4
    for (int u = 0; u < under_way; ++u)
      for (int k = 0; k < width; ++k) sum += x[u][k];
  }
  for (; pack < packs; pack += lanes) {
    T x[width];
    openacc::load_pack(a + first + pack * width, x);
    for (int k = 0; k < width; ++k) sum += x[k];
  }
  if (begin + lane < first && begin + lane < end) sum += a[begin + lane];
  const std::int64_t behind = first + packs * width;
  if (behind + lane < end) sum += a[behind + lane];
  return sum;
}

}  // namespace sextant::segmented
