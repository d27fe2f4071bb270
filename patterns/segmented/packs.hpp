// Segment sums by 16-byte accesses, for OpenACC and OpenMP offload.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::segmented {

inline constexpr int under_way = 4;  // number of packs that a lane loads before it adds their elements

// Adds up the elements of a pack that have indices begin … end - 1. The pack starts at index `at`.
template <typename T>
SEXTANT_INLINE T sum_of_part(const T* x, int at, int begin, int end) {
  T sum = 0;
  for (int k = 0; k < openacc::pack_width<T>; ++k)
    sum += static_cast<std::uint32_t>(at + k - begin) < static_cast<std::uint32_t>(end - begin) ? x[k] : T(0);
  return sum;
}

// Adds up elements begin … end - 1 of array a, which has n elements. It loads `under_way` packs at a time.
// Loads beyond the last pack repeat that pack and add nothing.
template <typename T>
SEXTANT_INLINE T sum_of_packs(int n, int begin, int end, const T* a) {
  constexpr int width = openacc::pack_width<T>;
  T sum = 0;
  if (begin >= end) return sum;
  const int first = begin / width * width, last = (end - 1) / width * width;
  if (last > n - width) {  // the array's last elements do not fill a pack
    for (int i = begin; i < end; ++i) sum += a[i];
    return sum;
  }
  for (int at = first; at <= last; at += under_way * width) {
    T x[under_way][width];
#pragma GCC unroll 4
    for (int p = 0; p < under_way; ++p)
      openacc::load_pack(a + (at + p * width < last ? at + p * width : last), x[p]);
#pragma GCC unroll 4
    for (int p = 0; p < under_way; ++p) sum += sum_of_part(x[p], at + p * width, begin, end);
  }
  return sum;
}

// Adds up those of elements begin … end - 1 that one of `lanes` lanes handles: every lanes-th pack, and at
// most one element before the first and one after the last whole pack.
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
