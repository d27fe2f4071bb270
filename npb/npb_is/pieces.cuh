// A ranking in two passes. The first parts keys by some of their bits, the group, and keeps of each the other bits alone,
// a piece of 16 bits at most; the second counts the pieces of one group a block, in shared memory, and adds up.
//
// A value is, from its highest bit: `top` bits t, the group g, `low` bits l. Its piece is (t, l). With two top bits
// groups are equally large whatever the bell does: its density is the cubic B-spline over four knot intervals, and
// those four parts, put on top of each other, are a constant. So every block of the second pass has as much to do.
// Where there are more groups than resident blocks, none is needed, and the fullest groups come first.
//
// In the first pass a block collects pieces in shared memory, a row a group, as one atomic addition a key says where;
// nothing is sorted. Of full vectors of 16 bytes it writes what it has, to room in the group that another atomic
// addition reserves; up to seven pieces stay in the row for the next tile, and in the end go to a vector of the block's
// own. Keys that find their row full, one in a billion, go to a list.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu_state.cuh"
#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::npb_is {

inline constexpr int piece_bits = 16, least_low = 3;  // eight counters are one store
inline constexpr int most_balanced_log2 = 7;          // 128 blocks of the second pass are resident at once
inline constexpr int vector_pieces = 8;
inline constexpr unsigned most_late = 1 << 16;
inline constexpr std::int64_t most_row_bytes = 208 << 10;  // of 227 KiB a block, beside the rows' lengths

// How values are cut, and how much room there is.
struct Cut {
  int max_log2 = 0, top = 0, groups_log2 = 0, low = 0;
  unsigned row = 0;                 // pieces of a group that a block of the first pass holds
  std::int64_t keys = 0, room = 0;  // room: for pieces of a group, a multiple of 8

  __host__ __device__ int groups() const { return 1 << groups_log2; }
  __host__ __device__ int segments() const { return 1 << (groups_log2 + top); }
  __host__ __device__ int counters() const { return 1 << (top + low); }  // of a group
  __device__ int group_of(std::int32_t key) const { return key >> low & (groups() - 1); }
  __device__ unsigned piece_of(std::int32_t key) const {
    const int mask = (1 << low) - 1;
    return static_cast<unsigned>((key >> groups_log2 & ~mask) | (key & mask)) & 0xFFFF;
  }
  // The value of counter c of group g.
  __device__ std::int64_t value_of(int g, int c) const {
    const std::int64_t t = c >> low, l = c & ((1 << low) - 1);
    return t << (max_log2 - top) | static_cast<std::int64_t>(g) << low | l;
  }
};

// For tiles of so many keys.
inline Cut cut_of(const Problem& problem, int most_groups_log2, std::int64_t tile) {
  Cut cut;
  cut.max_log2 = max_log2(problem);
  cut.keys = key_count(problem);
  cut.top = cut.max_log2 <= most_balanced_log2 + piece_bits ? 2 : 0;
  const int least = cut.max_log2 - piece_bits, most = cut.max_log2 - cut.top - least_low;
  cut.groups_log2 = std::max(std::max(least, 0), std::min(most, most_groups_log2));
  cut.low = cut.max_log2 - cut.top - cut.groups_log2;
  const double share = (cut.top ? 1 : densest) / cut.groups();
  const auto vectors_for = [&](std::int64_t keys, double deviations) {  // beyond which chance hardly goes
    const double mean = static_cast<double>(keys) * share;
    const double most_of_all =
        std::min(static_cast<double>(keys), mean + deviations * std::sqrt(mean)) + vector_pieces;
    return static_cast<std::int64_t>(most_of_all + vector_pieces - 1) / vector_pieces;
  };
  cut.room = vectors_for(cut.keys, 10) * vector_pieces;
  // An odd number of vectors, where there is room: rows fill side by side, and equal places in them should differ in
  // their banks.
  const std::int64_t vectors = vectors_for(tile, 4), odd = vectors | 1;
  const bool fits = odd * cut.groups() * std::int64_t{sizeof(uint4)} <= most_row_bytes;
  cut.row = static_cast<unsigned>(fits ? odd : vectors) * vector_pieces;
  return cut;
}

// What the passes of one iteration share; zero when it begins.
struct Tally {
  unsigned* filled;  // pieces of each group in its room
  unsigned*
      totals;  // keys of each segment (t, g) in the order of values, and one where another block waits for it
  unsigned* late;  // keys in the list
};

struct Arrays {
  std::int32_t* keys;
  std::uint16_t* pieces;
  uint4* rests;            // [group][block of the first pass]: up to seven pieces
  unsigned char* rest_of;  // how many
  std::int32_t* late;      // keys that found no place in their row
  std::uint32_t* counts;
  std::int32_t* ranks;
  TestKeys tests;
  int part_blocks;
  Patience patience;  // gives up where a list or a group has no room, too
};

__device__ __forceinline__ void keep_late(const Cut& cut, const Arrays& a, const Tally& tally,
                                          std::int32_t key) {
  const unsigned at = atomicAdd(tally.late, 1u);
  if (at < most_late)
    a.late[at] = key;
  else
    a.patience.give_up();
  if (cut.top == 0) atomicAdd(&tally.totals[cut.group_of(key)], 1u);
}

// The first pass. Blocks take tiles in turn; groups_a_thread: of those whose row a thread empties.
template <int threads, int items, int groups_a_thread>
__global__ void __launch_bounds__(threads) part(Cut cut, int it, Arrays a, Tally tally) {
  constexpr int tile = threads * items, most_groups = threads * groups_a_thread;
  constexpr int lanes_a_row = 8;
  extern __shared__ uint4 shared[];
  unsigned* held = reinterpret_cast<unsigned*>(shared);  // pieces in each row
  unsigned* place = held + most_groups;                  // of the row's vectors in the group's room
  uint4* rows4 = shared + 2 * most_groups / 4;
  auto* rows = reinterpret_cast<std::uint16_t*>(rows4);
  const int thread = static_cast<int>(threadIdx.x), groups = cut.groups();
  const unsigned row_vectors = cut.row / vector_pieces;
  const std::int64_t tiles = (cut.keys + tile - 1) / tile;
  unsigned sums[groups_a_thread] = {};
  std::int32_t key[items];
  const auto is_whole = [&](std::int64_t index) { return (index + 1) * tile <= cut.keys; };
  const auto fetch = [&](std::int64_t index) {
    const std::int32_t* from = a.keys + index * tile + thread * 4;
    if (is_whole(index)) {
#pragma unroll
      for (int v = 0; v < items / 4; ++v) {
        const int4 four = *reinterpret_cast<const int4*>(from + v * threads * 4);
        key[4 * v] = four.x, key[4 * v + 1] = four.y, key[4 * v + 2] = four.z, key[4 * v + 3] = four.w;
      }
      return;
    }
    const std::int64_t left = cut.keys - index * tile - thread * 4;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = i / 4 * threads * 4 + i % 4;
      key[i] = at < left ? from[at] : -1;
    }
  };
  const auto collect = [&](std::int32_t one) {
    const int g = cut.group_of(one);
    const unsigned at = atomicAdd(&held[g], 1u);
    if (at < cut.row)
      rows[static_cast<unsigned>(g) * cut.row + at] = static_cast<std::uint16_t>(cut.piece_of(one));
    else
      keep_late(cut, a, tally, one);
  };

  if (blockIdx.x == 0) change_keys(cut.max_log2, it, a.keys);
  for (int g = thread; g < groups; g += threads) held[g] = 0;
  __syncthreads();
  if (blockIdx.x < tiles) fetch(blockIdx.x);
  for (std::int64_t index = blockIdx.x; index < tiles; index += gridDim.x) {
    if (is_whole(index)) {
#pragma unroll
      for (int i = 0; i < items; ++i) collect(key[i]);
    } else {
#pragma unroll
      for (int i = 0; i < items; ++i)
        if (key[i] >= 0) collect(key[i]);
    }
    __syncthreads();

    if (index + gridDim.x < tiles) fetch(index + gridDim.x);
#pragma unroll
    for (int k = 0; k < groups_a_thread; ++k) {
      const int g = thread + k * threads;
      if (g >= groups) break;
      const unsigned whole = min(held[g], cut.row) / vector_pieces * vector_pieces;
      if (whole == 0) continue;
      place[g] = atomicAdd(&tally.filled[g], whole);
      sums[k] += whole;
    }
    __syncthreads();
    for (int g = thread / lanes_a_row; g < groups; g += threads / lanes_a_row) {
      const unsigned vectors = min(held[g], cut.row) / vector_pieces;
      uint4* row = rows4 + static_cast<unsigned>(g) * row_vectors;
      if (vectors > 0) {
        const unsigned at = place[g];
        if (at + vectors * vector_pieces > cut.room) {
          a.patience.give_up();
        } else {
          auto* to = reinterpret_cast<uint4*>(a.pieces + g * cut.room + at);
          for (unsigned v = static_cast<unsigned>(thread % lanes_a_row); v < vectors; v += lanes_a_row)
            to[v] = row[v];
        }
      }
      __syncwarp(0xFFu << (thread % 32 / lanes_a_row * lanes_a_row));
      if (thread % lanes_a_row == 0) {
        if (vectors > 0 && vectors < row_vectors) row[0] = row[vectors];
        held[g] = min(held[g], cut.row) - vectors * vector_pieces;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < groups_a_thread; ++k) {
    const int g = thread + k * threads;
    if (g >= groups) break;
    const unsigned rest = held[g];
    const std::int64_t mine = static_cast<std::int64_t>(g) * gridDim.x + blockIdx.x;
    a.rest_of[mine] = static_cast<unsigned char>(rest);
    if (rest > 0) a.rests[mine] = rows4[static_cast<unsigned>(g) * row_vectors];
    if (cut.top == 0) atomicAdd(&tally.totals[g], sums[k] + rest);
  }
}

template <int threads, int groups_a_thread>
std::size_t part_bytes(const Cut& cut) {
  return 2 * threads * groups_a_thread * sizeof(unsigned) +
         std::size_t{cut.row} * static_cast<unsigned>(cut.groups()) * 2;
}

// The groups by size where they differ: the middle of the bell first.
__device__ __forceinline__ int group_in_turn(const Cut& cut, int turn) {
  const int half = cut.groups() / 2;
  return cut.top || half == 0 ? turn : (turn & 1) ? half - 1 - turn / 2 : half + turn / 2;
}

// Counts all pieces of group g: two counters of 16 bits a word, as no value has as many keys.
__device__ __forceinline__ void count_pieces(const Cut& cut, const Arrays& a, const Tally& tally, int g,
                                             unsigned* words) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const auto add = [&](unsigned piece) { atomicAdd(&words[piece >> 1], 1u << (piece << 4 & 16)); };
  const auto add_two = [&](unsigned two) {
    add(two & 0xFFFF);
    add(two >> 16);
  };
  const auto* vectors = reinterpret_cast<const uint4*>(a.pieces + g * cut.room);
  const int count = static_cast<int>(min(std::int64_t{tally.filled[g]}, cut.room) / vector_pieces);
#pragma unroll 4
  for (int i = thread; i < count; i += threads) {
    const uint4 eight = vectors[i];
    add_two(eight.x);
    add_two(eight.y);
    add_two(eight.z);
    add_two(eight.w);
  }
  for (int i = thread; i < a.part_blocks; i += threads) {
    const std::int64_t at = static_cast<std::int64_t>(g) * a.part_blocks + i;
    const int rest = a.rest_of[at];
    if (rest == 0) continue;
    const uint4 eight = a.rests[at];
    const unsigned twos[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
    for (int k = 0; k < vector_pieces - 1; ++k)
      if (k < rest) add(k % 2 ? twos[k / 2] >> 16 : twos[k / 2] & 0xFFFF);
  }
  const auto late = static_cast<int>(min(*tally.late, most_late));
  for (int i = thread; i < late; i += threads)
    if (cut.group_of(a.late[i]) == g) add(cut.piece_of(a.late[i]));
}

// What is to be added to the running sums of group g's counters for each t: the keys of all smaller values, less those
// of this group. Where segments are the second pass's to count, `own` is posted and the others' are waited for: all
// blocks are resident.
__device__ __forceinline__ void sum_segments_before(const Cut& cut, const Arrays& a, const Tally& tally,
                                                    int g, const unsigned* own, unsigned* adjust) {
  const int thread = static_cast<int>(threadIdx.x), groups = cut.groups();
  volatile unsigned* totals = tally.totals;
  if (cut.top > 0 && thread < 1 << cut.top) totals[thread * groups + g] = own[thread] + 1;
  unsigned more[4] = {};
  for (int s = thread; s < cut.segments(); s += static_cast<int>(blockDim.x)) {
    const int of_group = s & (groups - 1);
    if (of_group == g) continue;
    unsigned one = totals[s];
    if (cut.top > 0) {
      for (int peeks = a.patience.peeks; one == 0; one = totals[s])
        if (--peeks <= 0) {
          a.patience.give_up();
          break;
        }
      --one;
    }
#pragma unroll
    for (int t = 0; t < 4; ++t)
      if (s < t * groups + g) more[t] += one;
  }
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    more[t] = warp_sum(more[t]);
    if (thread % 32 == 0 && more[t] > 0) atomicAdd(&adjust[t], more[t]);
  }
}

__device__ __forceinline__ unsigned sum_of_eight(const uint4& w) {
  return (w.x & 0xFFFF) + (w.x >> 16) + (w.y & 0xFFFF) + (w.y >> 16) + (w.z & 0xFFFF) + (w.z >> 16) +
         (w.w & 0xFFFF) + (w.w >> 16);
}

// The second pass: a block a group. A warp adds up a stretch of counters, eight a lane and step.
template <int threads>
__global__ void __launch_bounds__(threads) count(Cut cut, int it, Arrays a, Tally tally) {
  extern __shared__ uint4 words4[];
  __shared__ unsigned adjust[4], segment[4], sums[threads / 32];
  constexpr int warps = threads / 32;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int g = group_in_turn(cut, static_cast<int>(blockIdx.x));
  for (int i = thread; i < cut.counters() / 8; i += threads) words4[i] = make_uint4(0, 0, 0, 0);
  if (thread < 4) adjust[thread] = segment[thread] = 0;
  __syncthreads();
  count_pieces(cut, a, tally, g, reinterpret_cast<unsigned*>(words4));
  __syncthreads();

  const int steps = max(1, cut.counters() / (256 * warps));
  const int first = warp * steps * 256 + lane * 8;
  const uint4 none = make_uint4(0, 0, 0, 0);
  unsigned sum = 0;
  for (int step = 0; step < steps; ++step) {
    const int c = first + step * 256;
    const unsigned eight = sum_of_eight(c < cut.counters() ? words4[c / 8] : none);
    const unsigned all = warp_sum(eight);
    sum += all;
    if (cut.top == 0 || all == 0) continue;
    if (cut.low >= 8) {  // all of one segment
      if (lane == 0) atomicAdd(&segment[c >> cut.low], all);
    } else if (eight > 0) {
      atomicAdd(&segment[c >> cut.low], eight);
    }
  }
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  sum_segments_before(cut, a, tally, g, segment, adjust);
  __syncthreads();

  unsigned before = warp_sum(lane < warp && lane < warps ? sums[lane] : 0u);
  for (int step = 0; step < steps; ++step) {
    const int c = first + step * 256;
    const bool inside = c < cut.counters();
    const uint4 w = inside ? words4[c / 8] : none;
    const unsigned twos[4] = {w.x, w.y, w.z, w.w};
    unsigned run[8], total = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      run[2 * i] = total += twos[i] & 0xFFFF;
      run[2 * i + 1] = total += twos[i] >> 16;
    }
    const unsigned inclusive = warp_inclusive_sum(total);
    if (inside) {
      const unsigned base = before + inclusive - total + adjust[c >> cut.low];
      auto* to = reinterpret_cast<uint4*>(a.counts + cut.value_of(g, c));
      to[0] = make_uint4(base + run[0], base + run[1], base + run[2], base + run[3]);
      to[1] = make_uint4(base + run[4], base + run[5], base + run[6], base + run[7]);
    }
    before += __shfl_sync(~0u, inclusive, 31);
  }
  __syncthreads();

  // The partial verification's ranks, by whoever has just counted the value below a test key.
  if (thread < test_count) {
    const std::int32_t below = a.keys[a.tests.index[thread]] - 1;
    std::int32_t* rank = &a.ranks[(it - 1) * test_count + thread];
    if (below < 0 && g == 0) *rank = 0;
    if (below >= 0 && cut.group_of(below) == g) *rank = static_cast<std::int32_t>(a.counts[below]);
  }
}

}  // namespace sextant::npb_is
