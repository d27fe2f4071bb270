// NAS IS ranking in two passes, for the CUDA variant `pieces`. Pass 1 (`part`) partitions the keys into
// groups by some of their bits. It stores the other bits of a key, at most 16, as a "piece". Pass 2 (`count`)
// counts the pieces of one group per thread block in shared memory and computes the running sums.
//
// The bits of a value are, from high to low: two top bits t, the group number g, and `low` bits l. The piece
// consists of t and l. All groups have the same expected size. The reason is that the density of the keys is
// a cubic B-spline over four intervals, which t selects, and the four densities add up to a constant. The
// thread blocks therefore have equal work.
//
// In pass 1 a thread block collects pieces in shared memory, one buffer ("row") per group. An atomic addition
// per key gives its position in the row. After each tile of keys, full 16-byte vectors are written to global
// memory, where another atomic addition reserves space. The remaining pieces stay in the row for the next
// tile; at the end they go to two vectors of this block and group. Keys that find their row full, one in a
// million, go to the list `late`. The pieces of each segment (t, g) are counted, because pass 2 needs the
// number of preceding keys.
//
// With very many groups, two of them ("twins") share one row (cuda.pieces.cu). There is then one top bit, and
// each twin has between a third and two thirds of the row's keys.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu_state.cuh"
#include "toolbox/cuda/overlap.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::npb_is {

inline constexpr int piece_bits = 16, most_parts = 4,
                     least_low = 3;  // makes the counters for one value of t whole 32-byte sectors
inline constexpr int vector_pieces = 8;
inline constexpr unsigned most_rest = 2 * vector_pieces;  // rows with fewer pieces are not written
inline constexpr unsigned most_late = 1 << 16;
inline constexpr std::int64_t most_row_bytes =
    210 << 10;  // of 227 KiB per thread block; the rest holds the words of the rows

// Division of a value into top bits, group number and low bits, and the capacities of the groups' rows.
struct Cut {
  int max_log2 = 0, groups_log2 = 0, rows_log2 = 0, low = 0, top_bits = 2;
  bool twins = false;               // true if groups g and g + rows() use the same row
  unsigned row = 0;                 // capacity of a row in shared memory, in pieces
  std::int64_t keys = 0, room = 0;  // room: capacity of a row in global memory, in pieces; a multiple of 8

  __host__ __device__ int parts() const { return 1 << top_bits; }
  __host__ __device__ int groups() const { return 1 << groups_log2; }
  __host__ __device__ int rows() const { return 1 << rows_log2; }
  __host__ __device__ int segments() const { return parts() << groups_log2; }
  __host__ __device__ int counters() const { return parts() << low; }  // counters per group
  __device__ int group_of(std::int32_t key) const { return key >> low & (groups() - 1); }
  __device__ unsigned piece_of(std::int32_t key) const {
    const int mask = (1 << low) - 1;
    return static_cast<unsigned>((key >> groups_log2 & ~mask) | (key & mask)) & 0xFFFF;
  }
  // Returns the row of a group. The second twin fills the row and its global memory from the end.
  __host__ __device__ int row_of(int g) const { return g & (rows() - 1); }
  __host__ __device__ bool is_second(int g) const { return twins && g >= rows(); }
  __host__ __device__ int filled_of(int g) const { return twins ? 2 * row_of(g) + is_second(g) : g; }
  // Returns the group that a thread block of pass 2 counts. With twins, groups at both ends of the range come
  // first, because they have the most keys.
  __host__ __device__ int group_at(int block) const {
    return !twins ? block : block % 2 == 0 ? block / 2 : groups() - 1 - block / 2;
  }
  // Returns the value that counter c of group g counts.
  __device__ std::int64_t value_of(int g, int c) const {
    const std::int64_t t = c >> low, l = c & ((1 << low) - 1);
    return t << (max_log2 - top_bits) | static_cast<std::int64_t>(g) << low | l;
  }
};

// Chooses the numbers of top, group and low bits, and the rows' capacities, for tiles of `tile` keys.
inline Cut cut_of(const Problem& problem, int most_groups_log2, bool twins, std::int64_t tile) {
  Cut cut;
  cut.twins = twins;
  cut.top_bits = twins ? 1 : 2;
  cut.max_log2 = max_log2(problem);
  cut.keys = key_count(problem);
  const int least = cut.max_log2 - piece_bits, most = cut.max_log2 - cut.top_bits - least_low;
  cut.groups_log2 = std::max(std::max(least, 0), std::min(most, most_groups_log2));
  cut.rows_log2 = cut.groups_log2 - (twins ? 1 : 0);
  cut.low = cut.max_log2 - cut.top_bits - cut.groups_log2;
  const auto vectors_for = [&](std::int64_t keys, double deviations, double rests, double variance) {
    const double mean = static_cast<double>(keys) /
                        // Expected keys of a row. Random variation rarely exceeds `deviations` standard
                        // deviations.
                        cut.rows();
    const double most_keys =
        std::min(static_cast<double>(keys), mean + deviations * std::sqrt(mean + variance));
    return (static_cast<std::int64_t>(most_keys + rests) + vector_pieces - 1) / vector_pieces;
  };
  cut.room = (vectors_for(cut.keys, 10, most_rest, 0) + 1) / 2 * (2 * vector_pieces);
  // An odd number of vectors per row avoids bank conflicts, because rows fill at the same pace. Twins keep
  // two remainders of 0 to 7 pieces, whose sum has mean 7 and variance 10.5.
  const std::int64_t vectors = twins ? vectors_for(tile, 3.8, 7, 10.5) : vectors_for(tile, 4, most_rest, 0);
  const std::int64_t odd = vectors | 1;
  const bool fits = odd * cut.rows() * std::int64_t{sizeof(uint4)} <= most_row_bytes;
  cut.row = static_cast<unsigned>(fits ? odd : vectors) * vector_pieces;
  return cut;
}

// Counters of one iteration that both passes use. They must be zero when the iteration starts.
struct Tally {
  unsigned* filled;  // number of pieces of each group in global memory; counters of twins are adjacent
  unsigned* totals;  // number of keys in each segment (t, g), ordered by value
  unsigned* late;    // number of keys in the list `late`
};

// Returns the number of words per iteration. It is even, because one 64-bit addition updates the counters of
// both twins in `filled`.
inline std::int64_t tally_words(const Cut& cut) { return cut.groups() + cut.segments() + 2; }

struct Arrays {
  std::int32_t* keys;
  std::uint16_t* pieces;
  uint4* rests;            // up to fifteen remaining pieces in two vectors, [group][block of pass 1][2]
  unsigned char* rest_of;  // number of remaining pieces, [group][block of pass 1]
  std::int32_t* late;      // keys that found their row full
  std::uint32_t* counts;
  std::int32_t* ranks;
  TestKeys tests;
  int part_blocks;
  PollLimit poll_limit;  // marks the launch as invalid if the list `late` or a group is full
};

__device__ __forceinline__ void keep_late(const Cut& cut, const Arrays& a, const Tally& tally,
                                          std::int32_t key) {
  const unsigned at = atomicAdd(tally.late, 1u);
  if (at < most_late)
    a.late[at] = key;
  else
    a.poll_limit.give_up();
  atomicAdd(&tally.totals[(key >> (cut.max_log2 - cut.top_bits)) * cut.groups() + cut.group_of(key)], 1u);
}

// Number of pieces for each value t of the top bits, 16 bits each. `even` holds t = 0 and 2, `odd` holds t =
// 1 and 3.
struct TopCounts {
  unsigned even = 0, odd = 0;

  // Adds four counters of eight bits each.
  __device__ __forceinline__ void add_bytes(unsigned bytes) {
    even += bytes & 0x00FF00FF;
    odd += bytes >> 8 & 0x00FF00FF;
  }
  __device__ __forceinline__ unsigned of(int t) const {
    return (t % 2 ? odd : even) >> (t / 2 * 16) & 0xFFFF;
  }
  __device__ __forceinline__ bool nearly_full() const { return ((even | odd) & 0x80008000) != 0; }
  __device__ __forceinline__ void move_to(const Cut& cut, const Tally& tally, int g) {
#pragma unroll
    for (int t = 0; t < most_parts; ++t)
      if (of(t) > 0) atomicAdd(&tally.totals[t * cut.groups() + g], of(t));
    even = odd = 0;
  }
};
__device__ __forceinline__ unsigned byte_of_top(const Cut& cut, unsigned piece) {
  return 1u << (piece >> cut.low << 3);
}
__device__ __forceinline__ unsigned bytes_of_two(const Cut& cut, unsigned two) {
  return byte_of_top(cut, two & 0xFFFF) + byte_of_top(cut, two >> 16);
}
__device__ __forceinline__ unsigned bytes_of_eight(const Cut& cut, const uint4& eight) {
  return bytes_of_two(cut, eight.x) + bytes_of_two(cut, eight.y) + bytes_of_two(cut, eight.z) +
         bytes_of_two(cut, eight.w);
}
__device__ __forceinline__ unsigned piece_in(const uint4& eight, int k) {
  const unsigned two = k / 2 == 0 ? eight.x : k / 2 == 1 ? eight.y : k / 2 == 2 ? eight.z : eight.w;
  return k % 2 ? two >> 16 : two & 0xFFFF;
}

inline constexpr int row_lanes = 8;  // lanes that write one row

// Writes a row's full vectors to position `at` of the group's global memory. Moves the remaining pieces to
// the front of the row.
__device__ __forceinline__ void write_row(const Cut& cut, const Arrays& a, const Tally& tally, int g,
                                          unsigned at, uint4* row, unsigned* held, TopCounts* top) {
  const int lane = static_cast<int>(threadIdx.x) % row_lanes;
  const unsigned mask = ((1u << row_lanes) - 1) << (threadIdx.x % 32 / row_lanes * row_lanes);
  const unsigned pieces = min(*held, cut.row), vectors = pieces / vector_pieces;
  const bool there_is_room = at + vectors * vector_pieces <= cut.room;
  if (!there_is_room) a.poll_limit.give_up();
  auto* to = reinterpret_cast<uint4*>(a.pieces + g * cut.room + at);
  TopCounts mine;
  for (unsigned v = static_cast<unsigned>(lane); v < vectors; v += row_lanes) {
    const uint4 eight = row[v];
    if (there_is_room) to[v] = eight;
    mine.add_bytes(bytes_of_eight(cut, eight));
  }
#pragma unroll
  for (int step = row_lanes / 2; step > 0; step /= 2) {
    mine.even += __shfl_xor_sync(mask, mine.even, step);
    mine.odd += __shfl_xor_sync(mask, mine.odd, step);
  }
  __syncwarp(mask);  // waits until all lanes have read the row
  if (lane == 0) {
    if (vectors * vector_pieces < pieces) row[0] = row[vectors];
    *held = pieces - vectors * vector_pieces;
    TopCounts sum = *top;
    sum.even += mine.even;
    sum.odd += mine.odd;
    if (sum.nearly_full()) sum.move_to(cut, tally, g);
    *top = sum;
  }
}

// Loads a thread's keys of a chunk: four consecutive keys each at `first`, `first + step`, and so on. Keys
// past the end are -1.
template <int vectors>
__device__ __forceinline__ void load_keys(const Cut& cut, const Arrays& a, std::int64_t first, int step,
                                          int4* to) {
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    const std::int64_t at = first + v * step;
    to[v] = make_int4(-1, -1, -1, -1);
    if (at + 4 <= cut.keys) {
      to[v] = *reinterpret_cast<const int4*>(a.keys + at);
    } else {
      if (at < cut.keys) to[v].x = a.keys[at];
      if (at + 1 < cut.keys) to[v].y = a.keys[at + 1];
      if (at + 2 < cut.keys) to[v].z = a.keys[at + 2];
    }
  }
}

// Pass 1. Thread blocks process tiles of `items` keys per thread in a grid-stride loop. A thread processes
// `chunk` keys at a time and prefetches the next chunk.
inline constexpr int chunk = 8;

template <int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks) part(Cut cut, int items, int it, Arrays a, Tally tally) {
  extern __shared__ uint4 rows[];
  const unsigned row_vectors = cut.row / vector_pieces;
  const int thread = static_cast<int>(threadIdx.x), groups = cut.groups(), chunks = items / chunk;
  auto* top = reinterpret_cast<TopCounts*>(rows + static_cast<unsigned>(groups) * row_vectors);
  unsigned* place =
      // Position of each row's vectors in the group's global memory.
      reinterpret_cast<unsigned*>(top + groups);
  unsigned* held = place + groups;  // number of pieces in each row
  const std::int64_t tile = std::int64_t{threads} * items, tiles = (cut.keys + tile - 1) / tile;
  const auto load = [&](std::int64_t index, int c, int4* to) {
    load_keys<chunk / 4>(cut, a, index * tile + c * (threads * chunk) + thread * 4, threads * 4, to);
  };
  // Issues all eight atomic additions before the first result is used, to overlap their latencies. Keys past
  // the end are counted in an extra row, which is never stored.
  const auto collect = [&](const int4* four) {
    std::int32_t key[chunk];
    unsigned at[chunk];
    bool all_found_place = true;
#pragma unroll
    for (int v = 0; v < chunk / 4; ++v)
      key[4 * v] = four[v].x, key[4 * v + 1] = four[v].y, key[4 * v + 2] = four[v].z,
              key[4 * v + 3] = four[v].w;
#pragma unroll
    for (int k = 0; k < chunk; ++k) at[k] = atomicAdd(&held[key[k] < 0 ? groups : cut.group_of(key[k])], 1u);
#pragma unroll
    for (int k = 0; k < chunk; ++k) {
      const bool kept = key[k] >= 0;
      if (kept && at[k] < cut.row)
        reinterpret_cast<std::uint16_t*>(
            rows)[static_cast<unsigned>(cut.group_of(key[k])) * cut.row + at[k]] =
            static_cast<std::uint16_t>(cut.piece_of(key[k]));
      all_found_place = all_found_place && !(kept && at[k] >= cut.row);
    }
    if (all_found_place) return;
#pragma unroll
    for (int k = 0; k < chunk; ++k)
      if (key[k] >= 0 && at[k] >= cut.row) keep_late(cut, a, tally, key[k]);
  };

  for (int g = thread; g < groups; g += threads) held[g] = 0, top[g] = {};
  wait_for_last_launch();
  if (blockIdx.x == 0) change_keys(cut.max_log2, it, a.keys);
  __syncthreads();
  int4 now[chunk / 4], next[chunk / 4];
  load(blockIdx.x, 0, now);
  for (std::int64_t index = blockIdx.x; index < tiles; index += gridDim.x) {
    for (int c = 0; c < chunks; ++c) {
      c + 1 < chunks ? load(index, c + 1, next) : load(index + gridDim.x, 0, next);
      collect(now);
#pragma unroll
      for (int v = 0; v < chunk / 4; ++v) now[v] = next[v];
    }
    __syncthreads();
    for (int g = thread; g < groups; g += threads) {
      const unsigned pieces = min(held[g], cut.row);
      if (pieces >= most_rest) place[g] = atomicAdd(&tally.filled[g], pieces / vector_pieces * vector_pieces);
    }
    __syncthreads();
    for (int g = thread / row_lanes; g < groups; g += threads / row_lanes)
      if (held[g] >= most_rest)
        write_row(cut, a, tally, g, place[g], rows + static_cast<unsigned>(g) * row_vectors, &held[g],
                  &top[g]);
    __syncthreads();
  }
  for (int g = thread; g < groups; g += threads) {
    const unsigned rest = held[g];
    const std::int64_t mine = static_cast<std::int64_t>(g) * gridDim.x + blockIdx.x;
    a.rest_of[mine] = static_cast<unsigned char>(rest);
    TopCounts sum = top[g];
    unsigned bytes = 0;
    for (unsigned v = 0; v * vector_pieces < rest; ++v) {
      const uint4 eight = rows[static_cast<unsigned>(g) * row_vectors + v];
      a.rests[2 * mine + v] = eight;
#pragma unroll
      for (int k = 0; k < vector_pieces; ++k)
        if (v * vector_pieces + static_cast<unsigned>(k) < rest)
          bytes += byte_of_top(cut, piece_in(eight, k));
    }
    sum.add_bytes(bytes);
    sum.move_to(cut, tally, g);
  }
}

inline std::size_t part_bytes(const Cut& cut) {
  const std::size_t kept = cut.twins ? sizeof(unsigned) : sizeof(TopCounts) + 2 * sizeof(unsigned);
  return static_cast<unsigned>(cut.rows()) * (std::size_t{cut.row} * 2 + kept) + sizeof(unsigned);
}

// A thread block's counters in pass 2, with `bits` bits each, packed in words.
template <int bits>
struct Counters {
  static constexpr int in_word = 32 / bits;
  unsigned* words;
  __device__ __forceinline__ void add(unsigned piece) const {
    atomicAdd(&words[piece / in_word], 1u << (piece * bits & 31));
  }
  __device__ __forceinline__ void add_eight(const uint4& eight) const {
#pragma unroll
    for (int k = 0; k < vector_pieces; ++k) add(piece_in(eight, k));
  }
  // Returns counters c … c + 3.
  __device__ __forceinline__ uint4 four(int c) const {
    if constexpr (bits == 8) {
      const unsigned w = words[c / 4];
      return make_uint4(w & 0xFF, w >> 8 & 0xFF, w >> 16 & 0xFF, w >> 24);
    } else {
      const uint2 w = reinterpret_cast<const uint2*>(words)[c / 4];
      return make_uint4(w.x & 0xFFFF, w.x >> 16, w.y & 0xFFFF, w.y >> 16);
    }
  }
};

// Counts all pieces of group g. Each thread keeps 32 pieces (four vectors) in flight.
template <int threads, int bits>
__device__ __forceinline__ void count_pieces(const Cut& cut, const Arrays& a, const Tally& tally, int g,
                                             const Counters<bits>& counters) {
  const int thread = static_cast<int>(threadIdx.x);
  const int count =
      static_cast<int>(min(std::int64_t{tally.filled[cut.filled_of(g)]}, cut.room) / vector_pieces);
  const auto* vectors = reinterpret_cast<const uint4*>(a.pieces + cut.row_of(g) * cut.room);
  if (cut.is_second(g)) vectors += cut.room / vector_pieces - count;
  constexpr int batch = 4;
  int i = thread;
  for (; i + (batch - 1) * threads < count; i += batch * threads) {
    uint4 eights[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) eights[k] = vectors[i + k * threads];
#pragma unroll
    for (int k = 0; k < batch; ++k) counters.add_eight(eights[k]);
  }
  for (; i < count; i += threads) counters.add_eight(vectors[i]);
  for (i = thread; i < 2 * a.part_blocks; i += threads) {
    const std::int64_t first = static_cast<std::int64_t>(g) * a.part_blocks;
    const int rest = a.rest_of[first + i / 2] - i % 2 * vector_pieces;
    if (rest <= 0) continue;
    const uint4 eight = a.rests[2 * first + i];
#pragma unroll
    for (int k = 0; k < vector_pieces; ++k)
      if (k < rest) counters.add(piece_in(eight, k));
  }
  const auto late = static_cast<int>(min(*tally.late, most_late));
  for (i = thread; i < late; i += threads)
    if (cut.group_of(a.late[i]) == g) counters.add(cut.piece_of(a.late[i]));
}

// Computes for each t the offset of group g's running sums: the number of keys with smaller values in other
// groups.
__device__ __forceinline__ void sum_segments_before(const Cut& cut, const Tally& tally, int g,
                                                    unsigned* adjust) {
  const int groups = cut.groups();
  unsigned more[most_parts] = {};
  for (int s = static_cast<int>(threadIdx.x); s < cut.segments(); s += static_cast<int>(blockDim.x)) {
    const unsigned one = (s & (groups - 1)) == g ? 0 : tally.totals[s];
#pragma unroll
    for (int t = 0; t < most_parts; ++t)
      if (s < t * groups + g) more[t] += one;
  }
#pragma unroll
  for (int t = 0; t < most_parts; ++t) {
    more[t] = warp_sum(more[t]);
    if (threadIdx.x % 32 == 0 && more[t] > 0) atomicAdd(&adjust[t], more[t]);
  }
}

// Pass 2: one thread block per group. Each warp sums a contiguous range of counters, four per lane and step.
template <int threads, int bits>
__global__ void __launch_bounds__(threads) count(Cut cut, int it, Arrays a, Tally tally) {
  extern __shared__ uint4 shared_counters[];
  __shared__ unsigned adjust[most_parts], sums[threads / 32];
  constexpr int warps = threads / 32;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int g = cut.group_at(static_cast<int>(blockIdx.x)), vectors = cut.counters() * bits / 128;
  const Counters<bits> counters = {reinterpret_cast<unsigned*>(shared_counters)};
  for (int i = thread; i < vectors; i += threads) shared_counters[i] = make_uint4(0, 0, 0, 0);
  if (thread < most_parts) adjust[thread] = 0;
  wait_for_last_launch();
  __syncthreads();
  sum_segments_before(cut, tally, g, adjust);
  count_pieces<threads>(cut, a, tally, g, counters);
  __syncthreads();

  const int steps = max(1, cut.counters() / (128 * warps));
  const int first = warp * steps * 128 + lane * 4;
  unsigned sum = 0;
  for (int step = 0; step < steps; ++step) {
    const int c = first + step * 128;
    const uint4 four = c < cut.counters() ? counters.four(c) : make_uint4(0, 0, 0, 0);
    sum += four.x + four.y + four.z + four.w;
  }
  sum = warp_sum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();

  const unsigned one = lane < warps ? sums[lane] : 0u;
  unsigned before = warp_sum(lane < warp ? one : 0u);
  if (warp == 0) {  // this warp detects overflowed counters
    const unsigned keys = warp_sum(lane < cut.parts() ? tally.totals[lane * cut.groups() + g] : 0u);
    if (warp_sum(one) != keys) a.poll_limit.give_up();
  }
  for (int step = 0; step < steps; ++step) {
    const int c = first + step * 128;
    const bool inside = c < cut.counters();
    uint4 run = inside ? counters.four(c) : make_uint4(0, 0, 0, 0);
    run.y += run.x, run.z += run.y, run.w += run.z;
    const unsigned inclusive = warp_inclusive_sum(run.w);
    if (inside) {
      const unsigned base = before + inclusive - run.w + adjust[c >> cut.low];
      *reinterpret_cast<uint4*>(a.counts + cut.value_of(g, c)) =
          make_uint4(base + run.x, base + run.y, base + run.z, base + run.w);
    }
    before += __shfl_sync(~0u, inclusive, 31);
  }
  __syncthreads();

  // A wrong total shows that the word of a row overflowed in pass 1.
  if (thread == 0 && g == cut.groups() - 1 && a.counts[(std::int64_t{1} << cut.max_log2) - 1] != cut.keys)
    a.poll_limit.give_up();
    // Stores the ranks of the test keys. The rank of a test key is the count of the value below it, so the
    // thread block that has just computed this count stores it.
#pragma unroll
  for (int test = 0; test < test_count; ++test) {
    if (thread != test) continue;
    const std::int32_t below = a.keys[a.tests.index[test]] - 1;
    std::int32_t* rank = &a.ranks[(it - 1) * test_count + test];
    if (below < 0 && g == 0) *rank = 0;
    if (below >= 0 && cut.group_of(below) == g) *rank = static_cast<std::int32_t>(a.counts[below]);
  }
}

}  // namespace sextant::npb_is
