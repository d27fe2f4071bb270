// Hierarchical prefix sums over fixed levels: groups of elements, runs of 16 groups, tiles of 16 runs, blocks
// of 16 tiles. A lane replaces 16 sums of one level by their exclusive prefix sums, and passes their total to
// the next level. The prefix of a group is the sum of one value from each level.
#pragma once

#include <cstdint>

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc::levels {

inline constexpr int groups_of_run = 16, runs_of_tile = 16, groups_of_tile = groups_of_run * runs_of_tile;

// Returns the sum of `count` elements (whole 16-byte packs). Issues all loads before the first addition.
template <int count, typename T>
SEXTANT_INLINE T sum_of(const T* from) {
  T x[count], sum = 0;
#pragma GCC unroll 16
  for (int i = 0; i < count; i += pack_width<T>) load_pack(from + i, x + i);
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) sum += x[i];
  return sum;
}

// Returns the sum of the first `count` of 16 elements, count < 16.
template <typename T>
SEXTANT_INLINE T sum_of_first(const T* from, int count) {
  T x[16], sum = 0;
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += pack_width<T>) load_pack(from + i, x + i);
#pragma GCC unroll 16
  for (int i = 0; i < 15; ++i) sum += i < count ? x[i] : T(0);
  return sum;
}

// Replaces 16 elements by their exclusive prefix sums; returns their total.
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

// The sums of the blocks are scanned by one gang of lanes_of_top lanes. Each lane sums a slice, and 16 lanes
// form a row. Then the prefixes of rows and lanes are added to the slices.
inline constexpr int lanes_of_top = 512, rows_of_top = lanes_of_top / 16,
                     sums_of_top = lanes_of_top + rows_of_top;
inline constexpr int together = 16;  // number of elements that a lane loads before it adds them

SEXTANT_INLINE int blocks_of_lane(int blocks) {
  return ((blocks + lanes_of_top - 1) / lanes_of_top + together - 1) / together * together;
}

// Replaces the sums in a lane's slice by their exclusive prefix sums within the slice. Returns the slice's
// total.
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

// Adds the total of all previous lanes to each of a lane's blocks. `sums` holds the totals of the lanes, then
// those of the rows of 16 lanes.
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

// The arguments of sum_up_top: `count` values of the last level, and memory for sums_of_top sums.
struct Top {
  int count;
  void *values, *sums;
};

// Replaces the values of `given.top` by their exclusive prefix sums, in a region of one gang. `given` is a
// variable that each variant declares on the device. Separate variables give separate functions, because GCC
// 12 may crash if one function is offloaded from two source files (docs/reference/openacc.md).
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

// Number of elements in the array of each level, padded to a multiple of 16. `totals` has one more value
// after the last tile.
struct Room {
  std::int64_t groups, runs, totals, blocks;
  explicit Room(std::int64_t tiles)
      : groups(tiles * groups_of_tile),
        runs(tiles * runs_of_tile),
        totals((tiles / together + 1) * together),
        blocks((totals / together + together - 1) / together * together) {}
};

}  // namespace sextant::openacc::levels
