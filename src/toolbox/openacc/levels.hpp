// Sums in levels for what depends on all elements before: groups of elements, runs of 16 groups, tiles of 16 runs. A lane finds what is
// before its group by at most 15 sums of each level, which its neighbours read, too.
#pragma once

#include <cstdint>

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc::levels {

inline constexpr int groups_of_run = 16, runs_of_tile = 16, groups_of_tile = groups_of_run * runs_of_tile;

// Of `count` elements, whole packs, by accesses that are all under way before the first sum.
template <int count, typename T>
SEXTANT_INLINE T sum_of(const T* from) {
  T x[count], sum = 0;
#pragma GCC unroll 16
  for (int i = 0; i < count; i += pack_width<T>) load_pack(from + i, x + i);
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) sum += x[i];
  return sum;
}

// Of the first `count` of 16 elements, count < 16.
template <typename T>
SEXTANT_INLINE T sum_of_first(const T* from, int count) {
  T x[16], sum = 0;
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += pack_width<T>) load_pack(from + i, x + i);
#pragma GCC unroll 16
  for (int i = 0; i < 15; ++i) sum += i < count ? x[i] : T(0);
  return sum;
}

// One gang of so many lanes adds the totals of tiles up: a share of them a lane, then 16 lanes' sums, then down again.
inline constexpr int lanes_of_top = 512, rows_of_top = lanes_of_top / 16,
                     sums_of_top = lanes_of_top + rows_of_top;
inline constexpr int totals_together =
    16;  // that a lane reads before it adds them; totals have room for a multiple

SEXTANT_INLINE int totals_of_lane(int tiles) {
  return ((tiles + lanes_of_top - 1) / lanes_of_top + totals_together - 1) / totals_together *
         totals_together;
}

// Each of a lane's totals becomes the sum of those before it in the share, whose sum is returned.
template <typename T>
SEXTANT_INLINE T sum_up_share(int lane, int tiles, T* totals) {
  const int share = totals_of_lane(tiles);
  T sum = 0;
  for (int t = lane * share; t < (lane + 1) * share && t < tiles; t += totals_together) {
    T x[totals_together];
#pragma GCC unroll 16
    for (int k = 0; k < totals_together; k += pack_width<T>) load_pack(totals + t + k, x + k);
#pragma GCC unroll 16
    for (int k = 0; k < totals_together; ++k) {
      const T mine = x[k];
      x[k] = sum;
      sum += mine;
    }
#pragma GCC unroll 16
    for (int k = 0; k < totals_together; k += pack_width<T>) store_pack(totals + t + k, x + k);
  }
  return sum;
}

// To each of a lane's totals what the lanes before it have: of its row of 16 lanes, of the rows before. sums: those of the lanes, then of
// their rows.
template <typename T>
SEXTANT_INLINE void add_to_share(int lane, int tiles, const T* sums, T* totals) {
  const int share = totals_of_lane(tiles);
  T before = sum_of_first(sums + lane / 16 * 16, lane % 16);
  for (int row = 0; row < lane / 16; ++row) before += sums[lanes_of_top + row];
  for (int t = lane * share; t < (lane + 1) * share && t < tiles; t += totals_together) {
    T x[totals_together];
#pragma GCC unroll 16
    for (int k = 0; k < totals_together; k += pack_width<T>) load_pack(totals + t + k, x + k);
#pragma GCC unroll 16
    for (int k = 0; k < totals_together; ++k) x[k] += before;
#pragma GCC unroll 16
    for (int k = 0; k < totals_together; k += pack_width<T>) store_pack(totals + t + k, x + k);
  }
}

// Elements of the levels' arrays.
struct Room {
  std::int64_t groups, runs, totals;
  explicit Room(std::int64_t tiles)
      : groups(tiles * groups_of_tile),
        runs(tiles * runs_of_tile),
        totals((tiles + totals_together - 1) / totals_together * totals_together) {}
};

}  // namespace sextant::openacc::levels
