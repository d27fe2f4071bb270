// Sums in levels for what depends on all elements before: groups of elements, runs of 16 groups, tiles of 16
// runs, blocks of 16 tiles. A lane turns 16 sums of a level into what is before each of them, and leaves the
// sum of all to the next level; what is before a group is then a sum of each level.
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

// One gang of so many lanes adds the blocks' sums up: a share of them a lane, then 16 lanes' sums, then down
// again.
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

// To each of a lane's blocks what the lanes before it have: of its row of 16 lanes, of the rows before. sums:
// those of the lanes, then of their rows.
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

// The last level's sums, `count` of them, and room for sums_of_top of lanes and rows: what sum_up_top() finds
// in the variable that a variant declares for the device.
struct Top {
  int count;
  void *values, *sums;
};

// A region of one gang: each of `given.top`'s values becomes the sum of those before it. Each variant's
// variable makes a function of its own of it, as one that is offloaded from two source files may crash GCC 12
// (docs/reference/openacc.md).
template <typename T, auto& given, int queue>
void sum_up_top() {
#pragma acc parallel num_gangs(1) vector_length(lanes_of_top) async(queue)
  {
    const int count = given.top.count;
    T* const values = static_cast<T*>(given.top.values);
    T* const sums = static_cast<T*>(given.top.sums);
#pragma acc loop gang
    for (int once = 0; once < 1; ++once) {
#pragma acc loop vector
      for (int lane = 0; lane < lanes_of_top; ++lane) sums[lane] = sum_up_share(lane, count, values);
#pragma acc loop vector
      for (int row = 0; row < rows_of_top; ++row) sums[lanes_of_top + row] = sum_of<16>(sums + row * 16);
#pragma acc loop vector
      for (int lane = 0; lane < lanes_of_top; ++lane) add_to_share(lane, count, sums, values);
    }
  }
}

// Elements of the levels' arrays. There is a total behind the last tile's, and whole runs of 16 of each
// level.
struct Room {
  std::int64_t groups, runs, totals, blocks;
  explicit Room(std::int64_t tiles)
      : groups(tiles * groups_of_tile),
        runs(tiles * runs_of_tile),
        totals((tiles / together + 1) * together),
        blocks((totals / together + together - 1) / together * together) {}
};

}  // namespace sextant::openacc::levels
