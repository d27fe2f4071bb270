// Sums in levels for what depends on all elements before: groups of elements, runs of 16 groups, tiles of 16 runs, blocks of 16 tiles. A lane
// turns 16 sums of a level into what is before each of them, and leaves the sum of all to the next level; what is before a group is then a
// sum of each level.
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

// Each of 16 elements becomes the sum of those before it; the sum of all is returned.
template <typename T>
SEXTANT_INLINE T sum_up_sixteen(T* at) {
  T x[16], sum = 0;
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += pack_width<T>) load_pack(at + i, x + i);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    const T mine = x[i];
    x[i] = sum;
    sum += mine;
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += pack_width<T>) store_pack(at + i, x + i);
  return sum;
}

// One gang of so many lanes adds the blocks' sums up: a share of them a lane, then 16 lanes' sums, then down again.
inline constexpr int lanes_of_top = 512, rows_of_top = lanes_of_top / 16,
                     sums_of_top = lanes_of_top + rows_of_top;
inline constexpr int together = 16;  // that a lane reads before it adds them

SEXTANT_INLINE int blocks_of_lane(int blocks) {
  return ((blocks + lanes_of_top - 1) / lanes_of_top + together - 1) / together * together;
}

// Each of a lane's blocks' sums becomes the sum of those before it in the share, whose sum is returned.
template <typename T>
SEXTANT_INLINE T sum_up_share(int lane, int blocks, T* sums_of_blocks) {
  const int share = blocks_of_lane(blocks);
  T sum = 0;
  for (int t = lane * share; t < (lane + 1) * share && t < blocks; t += together) {
    T x[together];
#pragma GCC unroll 16
    for (int k = 0; k < together; k += pack_width<T>) load_pack(sums_of_blocks + t + k, x + k);
#pragma GCC unroll 16
    for (int k = 0; k < together; ++k) {
      const T mine = x[k];
      x[k] = sum;
      sum += mine;
    }
#pragma GCC unroll 16
    for (int k = 0; k < together; k += pack_width<T>) store_pack(sums_of_blocks + t + k, x + k);
  }
  return sum;
}

// To each of a lane's blocks what the lanes before it have: of its row of 16 lanes, of the rows before. sums: those of the lanes, then of
// their rows.
template <typename T>
SEXTANT_INLINE void add_to_share(int lane, int blocks, const T* sums, T* sums_of_blocks) {
  const int share = blocks_of_lane(blocks);
  T before = sum_of_first(sums + lane / 16 * 16, lane % 16);
  for (int row = 0; row < lane / 16; ++row) before += sums[lanes_of_top + row];
  for (int t = lane * share; t < (lane + 1) * share && t < blocks; t += together) {
    T x[together];
#pragma GCC unroll 16
    for (int k = 0; k < together; k += pack_width<T>) load_pack(sums_of_blocks + t + k, x + k);
#pragma GCC unroll 16
    for (int k = 0; k < together; ++k) x[k] += before;
#pragma GCC unroll 16
    for (int k = 0; k < together; k += pack_width<T>) store_pack(sums_of_blocks + t + k, x + k);
  }
}

// Elements of the levels' arrays. There is a total behind the last tile's, and whole runs of 16 of each level.
struct Room {
  std::int64_t groups, runs, totals, blocks;
  explicit Room(std::int64_t tiles)
      : groups(tiles * groups_of_tile),
        runs(tiles * runs_of_tile),
        totals((tiles / together + 1) * together),
        blocks((totals / together + together - 1) / together * together) {}
};

}  // namespace sextant::openacc::levels
