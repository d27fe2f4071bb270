// The first pass where groups are many: a row of shared memory is of two of them, g and g + rows, twins. Pieces of the
// first fill it from its front, those of the second from its end, so that two groups share what room a row has to spare,
// and a tile may have nearly twice the keys. What the bell gives to both together is the same for all rows.
//
// A row's word says where a key's piece goes: it counts the pieces of both, a byte each, and in two more bytes those of
// them whose top bit is set. A key that finds the row full takes its addition back and goes to the list. A byte can run
// over only while more keys wait to take theirs back than a row holds; then a piece is written over, and either the row
// holds more than it has room for or keys are missing in the sum of all, both of which make the launch void.
#pragma once

#include "pieces.cuh"

namespace sextant::npb_is {

inline constexpr int twin_lanes = 8;  // that write a row, two vectors each
inline constexpr unsigned most_twin_row = (2 * twin_lanes - 1) * vector_pieces;

// A row's word, and where in it a key is counted.
struct TwinWord {
  unsigned word;
  __device__ __forceinline__ unsigned pieces(unsigned shift) const { return word >> shift & 0xFF; }
  __device__ __forceinline__ unsigned first() const { return word & 0xFF; }
  __device__ __forceinline__ unsigned second() const { return word >> 8 & 0xFF; }
  __device__ __forceinline__ unsigned both() const { return __dp4a(word, 0x0101u, 0u); }
};
__device__ __forceinline__ unsigned twin_shift(const Cut& cut, std::int32_t key) {
  return static_cast<unsigned>(key) >> (cut.max_log2 - 5) & 8;
}
__device__ __forceinline__ unsigned twin_one(const Cut& cut, std::int32_t key) {
  return ((static_cast<unsigned>(key) >> (cut.max_log2 - 1)) << 16 | 1) << twin_shift(cut, key);
}

// The vectors of a row that leave it for its room: those before `end`, which go `first` vectors further on there, and those
// from `begin` on, `second` further on.
struct TwinLeaving {
  int front, back;
  static constexpr int bits = 4, mask = (1 << bits) - 1;
  __device__ __forceinline__ static TwinLeaving none(unsigned row_vectors) {
    return {0, static_cast<int>(row_vectors)};
  }
  __device__ __forceinline__ int end() const { return front & mask; }
  __device__ __forceinline__ int begin() const { return back & mask; }
  __device__ __forceinline__ int first() const { return front >> bits; }
  __device__ __forceinline__ int second() const { return back >> bits; }
};

// What a thread knows of the row that is its own, of both groups: pieces that were written, and pieces with the top bit
// set, rests included.
struct TwinTally {
  unsigned written[2] = {}, tops[2] = {};

  __device__ __forceinline__ void move_to(const Cut& cut, const Tally& tally, int row, unsigned word) const {
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const int g = row + side * cut.rows();
      const unsigned all = written[side] + (word >> 8 * side & 0xFF);
      atomicAdd(&tally.totals[g], all - tops[side]);
      atomicAdd(&tally.totals[cut.groups() + g], tops[side]);
    }
  }
};

// Reserves room for the full vectors of both ends of a row, and leaves the rests in its word.
__device__ __forceinline__ TwinLeaving leave_twins(const Cut& cut, const Arrays& a, const Tally& tally,
                                                   int row, unsigned* held, TwinTally* sums) {
  const TwinWord word = {*held};
  const unsigned row_vectors = cut.row / vector_pieces;
  const unsigned first = word.first() / vector_pieces, second = word.second() / vector_pieces;
  *held = word.word & (vector_pieces - 1) * 0x0101;
  sums->tops[0] += word.word >> 16 & 0xFF;
  sums->tops[1] += word.word >> 24;
  sums->written[0] += first * vector_pieces;
  sums->written[1] += second * vector_pieces;
  const unsigned long long both =
      atomicAdd(reinterpret_cast<unsigned long long*>(tally.filled) + row,
                static_cast<unsigned long long>(second * vector_pieces) << 32 | first * vector_pieces);
  const unsigned at_first = static_cast<unsigned>(both) / vector_pieces;
  const unsigned at_second = static_cast<unsigned>(both >> 32) / vector_pieces;
  const auto room = static_cast<unsigned>(cut.room / vector_pieces);
  if (word.first() + word.second() > cut.row || at_first + first + at_second + second > room) {
    a.patience.give_up();
    return TwinLeaving::none(row_vectors);
  }
  // What leaves the row's end keeps its order.
  return {static_cast<int>(at_first << TwinLeaving::bits | first),
          static_cast<int>((room - row_vectors - at_second) << TwinLeaving::bits | (row_vectors - second))};
}

// The rows of a warp, a lane each: what is full to the groups' rooms, by `twin_lanes` lanes a row, and rests to the ends.
__device__ __forceinline__ void write_twins(const Cut& cut, const Arrays& a, uint4* rows, int row,
                                            unsigned held, const TwinLeaving& leaving) {
  const int row_vectors = static_cast<int>(cut.row / vector_pieces),
            lane = static_cast<int>(threadIdx.x % 32);
  const int room = static_cast<int>(cut.room / vector_pieces), first_row = row - lane;
  int slot = lane % twin_lanes, owner = lane / twin_lanes;
  const uint4* from = rows + (first_row + owner) * row_vectors + slot;
  auto* to = reinterpret_cast<uint4*>(a.pieces) + (std::int64_t{first_row + owner} * room + slot);
#pragma unroll 1
  for (int i = 0; i < twin_lanes; ++i) {
    const TwinLeaving now = {__shfl_sync(~0u, leaving.front, owner), __shfl_sync(~0u, leaving.back, owner)};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int v = slot + half * twin_lanes;
      const bool is_first = v < now.end();
      if (is_first || (v >= now.begin() && v < row_vectors))
        to[half * twin_lanes + (is_first ? now.first() : now.second())] = from[half * twin_lanes];
    }
    owner += 32 / twin_lanes;
    from += 32 / twin_lanes * row_vectors;
    to += 32 / twin_lanes * room;
  }
  uint4* const mine = rows + row * row_vectors;
  const int end = leaving.end(), begin = leaving.begin();
  const bool has[2] = {(held & 0xFF) > 0 && end > 0, held >> 8 > 0 && begin < row_vectors};
  uint4 rests[2];
  if (has[0]) rests[0] = mine[end];
  if (has[1]) rests[1] = mine[begin - 1];
  __syncwarp();  // all have read
  if (has[0]) mine[0] = rests[0];
  if (has[1]) mine[row_vectors - 1] = rests[1];
}

__device__ __forceinline__ uint4 reversed(const uint4& eight) {
  const auto swapped = [](unsigned two) { return __byte_perm(two, 0, 0x1032); };
  return make_uint4(swapped(eight.w), swapped(eight.z), swapped(eight.y), swapped(eight.x));
}
// What is left of a row when a block ends.
__device__ __forceinline__ void keep_rests(const Cut& cut, const Arrays& a, int row, const uint4* mine,
                                           unsigned word) {
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    const std::int64_t kept = static_cast<std::int64_t>(row + side * cut.rows()) * gridDim.x + blockIdx.x;
    const unsigned rest = word >> 8 * side & 0xFF, last = cut.row / vector_pieces - 1;
    a.rest_of[kept] = static_cast<unsigned char>(rest);
    for (unsigned v = 0; v * vector_pieces < rest; ++v)
      a.rests[2 * kept + v] = side ? reversed(mine[last - v]) : mine[v];
  }
}

// A block's rows and their words, and where a key's piece goes.
struct TwinRows {
  uint4* rows;
  unsigned* words;  // behind them room for a piece that nobody reads

  __device__ __forceinline__ unsigned* word_of(const Cut& cut, std::int32_t key) const {
    return &words[cut.row_of(cut.group_of(key))];
  }
  // Stores the piece of a key that was counted in a row's word; whether it found room.
  __device__ __forceinline__ bool store(const Cut& cut, std::int32_t key, TwinWord before) const {
    auto* const pieces = reinterpret_cast<std::uint16_t*>(rows);
    const unsigned row = static_cast<unsigned>(cut.row_of(cut.group_of(key))), shift = twin_shift(cut, key);
    const unsigned behind = before.pieces(shift), first = row * cut.row;
    const bool found_room = before.both() < cut.row;
    const unsigned nowhere = static_cast<unsigned>(cut.rows()) * (cut.row + 2);
    const unsigned place = shift > 0 ? first + cut.row - 1 - behind : first + behind;
    pieces[found_room ? place : nowhere] = static_cast<std::uint16_t>(cut.piece_of(key));
    return found_room;
  }
  __device__ __forceinline__ void put_aside(const Cut& cut, const Arrays& a, const Tally& tally,
                                            std::int32_t key) const {
    atomicSub(word_of(cut, key), twin_one(cut, key));
    keep_late(cut, a, tally, key);
  }
  // Eight additions are under way before the first answer is waited for.
  __device__ __forceinline__ void collect(const Cut& cut, const Arrays& a, const Tally& tally,
                                          const int4* four) const {
    std::int32_t key[chunk];
    TwinWord before[chunk];
#pragma unroll
    for (int v = 0; v < chunk / 4; ++v)
      key[4 * v] = four[v].x, key[4 * v + 1] = four[v].y, key[4 * v + 2] = four[v].z,
              key[4 * v + 3] = four[v].w;
#pragma unroll
    for (int k = 0; k < chunk; ++k) before[k] = {atomicAdd(word_of(cut, key[k]), twin_one(cut, key[k]))};
    unsigned late = 0;
#pragma unroll
    for (int k = 0; k < chunk; ++k) late |= store(cut, key[k], before[k]) ? 0u : 1u << k;
    if (late == 0) return;
#pragma unroll
    for (int k = 0; k < chunk; ++k)
      if ((late >> k & 1) != 0) put_aside(cut, a, tally, key[k]);
  }
};

// Thread r has row r, and warps have rows of their own, so that no more is waited for than all keys of a tile.
template <int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
    part_twins(Cut cut, int items, int it, Arrays a, Tally tally) {
  extern __shared__ uint4 rows[];
  const unsigned row_vectors = cut.row / vector_pieces;
  const int row = static_cast<int>(threadIdx.x), chunks = items / chunk;
  const bool has_row = row < cut.rows();
  const TwinRows mine = {rows,
                         reinterpret_cast<unsigned*>(rows + static_cast<unsigned>(cut.rows()) * row_vectors)};
  const std::int64_t tile = std::int64_t{threads} * items, whole = cut.keys / tile;
  for (int r = row; r < cut.rows(); r += threads) mine.words[r] = 0;
  wait_for_last_launch();
  if (blockIdx.x == 0) change_keys(cut.max_log2, it, a.keys);
  __syncthreads();

  TwinTally sums;
  const auto leave = [&] {
    __syncthreads();
    TwinLeaving leaving = TwinLeaving::none(row_vectors);
    if (has_row) leaving = leave_twins(cut, a, tally, row, &mine.words[row], &sums);
    write_twins(cut, a, rows, row, has_row ? mine.words[row] : 0, leaving);
    __syncthreads();
  };
  const auto load = [&](std::int64_t index, int c, int4* to) {
    const auto* from =
        reinterpret_cast<const int4*>(a.keys + index * tile + c * (threads * chunk)) + threadIdx.x;
#pragma unroll
    for (int v = 0; v < chunk / 4; ++v) to[v] = __ldcs(from + v * threads);
  };
  int4 now[chunk / 4], next[chunk / 4];
  std::int64_t index = blockIdx.x;
  if (index < whole) load(index, 0, now);
  for (; index < whole; index += gridDim.x) {
    for (int c = 0; c < chunks; ++c) {
      if (c + 1 < chunks)
        load(index, c + 1, next);
      else if (index + gridDim.x < whole)
        load(index + gridDim.x, 0, next);
      mine.collect(cut, a, tally, now);
#pragma unroll
      for (int v = 0; v < chunk / 4; ++v) now[v] = next[v];
    }
    leave();
  }
  if (index == whole) {  // the keys that are no tile
    for (std::int64_t j = whole * tile + row; j < cut.keys; j += threads) {
      const std::int32_t key = a.keys[j];
      if (!mine.store(cut, key, {atomicAdd(mine.word_of(cut, key), twin_one(cut, key))}))
        mine.put_aside(cut, a, tally, key);
    }
    leave();
  }
  if (!has_row) return;
  const unsigned word = mine.words[row];
  keep_rests(cut, a, row, rows + static_cast<unsigned>(row) * row_vectors, word);
  sums.move_to(cut, tally, row, word);
}

}  // namespace sextant::npb_is
