// What the blocks of a slab exchange with those of the slabs before and after it, which are on other GPUs. A stencil without
// diagonals needs of a plane beyond the slab's end a thread's own column alone, which the thread of the same number there has.
// So the groups at a slab's ends, which begin a step there, post their first planes in that GPU's mail as tagged values, and
// look for what comes from there in their last unit: it had the time of nearly a step to come.
//
// Rounds go on from call to call, as nobody clears a neighbour's mail: message m of a call is round base + m, where 0 is the
// start and m what m steps have made of it.
#pragma once

#include "resident_column.cuh"
#include "resident_mail.cuh"

namespace sextant::heat3d {

// A box by itself.
struct NoEnds {
  static constexpr bool there = false;
  static __device__ __forceinline__ int rim(int, int, int) { return 0; }
  template <int radius, int length, int rows>
  __device__ __forceinline__ NoEnds of_thread(int, int) const {
    return {};
  }
  static __device__ __forceinline__ unsigned round_of(int step) { return static_cast<unsigned>(step); }
  static __device__ __forceinline__ void look(int) {}
  template <typename Rows>
  static __device__ __forceinline__ void post(int, int, bool, const Rows&) {}
  template <typename Column>
  static __device__ __forceinline__ void take(int, const Column&, int, const BlockPatience&) {}
  template <typename Column>
  static __device__ __forceinline__ void begin(const Column&, int, const BlockPatience&) {}
};

// A thread's, of a group at a slab's end; `to` and `from` are null where there is no neighbour.
template <int radius, int length, int rows, typename T>
struct SlabEnd {
  static constexpr bool there = true;
  static constexpr int vectors = radius * rows,
                       step = Resident<radius, length, rows>::group_threads * length;  // words
  static __host__ __device__ constexpr std::int64_t words(int blocks) {                // of a buffer
    return std::int64_t{blocks} * vectors * step;
  }

  unsigned base;
  std::int64_t buffer;  // words
  const Word<T>* from;
  Word<T>* to;
  Vector<Word<T>, length> found[vectors];

  __device__ __forceinline__ unsigned round_of(int message) const {
    return base + static_cast<unsigned>(message);
  }
  __device__ __forceinline__ std::int64_t buffer_of(int message) const {
    return (round_of(message) & 1) * buffer;
  }
  __device__ __forceinline__ void look(int message) {
#pragma unroll
    for (int i = 0; i < vectors; ++i)
      peek_far(from + buffer_of(message) + i * step, from != nullptr, found[i]);
  }
  // All threads of a warp. Plane -1 - i of the group lies i planes after what is `before` planes further than the column.
  template <typename Column>
  __device__ __forceinline__ void take(int message, const Column& column, int before,
                                       const BlockPatience& patience) {
    const unsigned tag = tag_of(round_of(message));
    for (int looks = 0;; ++looks) {
      bool missing = false;
#pragma unroll
      for (int i = 0; i < vectors; ++i) missing |= !have_come<T>(found[i], tag);
      missing &= from != nullptr;
      if (!__any_sync(~0u, missing) || !patience.lasts(looks)) break;
      look(message);
    }
    if (!from) return;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      Vector<T, length> values;
#pragma unroll
      for (int e = 0; e < length; ++e) values[e] = without_tag(found[i][e]);
      *column.in_column(i % rows, (before + i / rows) * Column::plane_bytes) = values;
    }
  }
  // `plane` of the group, as far as it is one that the neighbour reads.
  template <typename Rows>
  __device__ __forceinline__ void post(int message, int plane, bool written, const Rows& values) const {
    if (!to || !written || plane >= radius) return;
    const unsigned tag = tag_of(round_of(message));
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      Vector<Word<T>, length> words;
#pragma unroll
      for (int e = 0; e < length; ++e) words[e] = with_tag(as_word(values[j][e]), tag);
      post_far(to + buffer_of(message) + (plane * rows + j) * step, words);
    }
  }
  // What there is at the start, of both.
  template <typename Column>
  __device__ __forceinline__ void begin(const Column& column, int before, const BlockPatience& patience) {
#pragma unroll
    for (int i = 0; i < radius; ++i) {
      typename Column::Rows values;
      column.take(i * Column::plane_bytes, values);
      post(0, i, true, values);
    }
    look(0);
    take(0, column, before, patience);
  }
};

// The ends of a GPU's slab. Mail of both ends lies one after the other, of each two buffers.
template <typename T>
struct SlabEnds {
  static constexpr bool there = true;
  const Word<T>* mail;  // the own one
  Word<T>*low, *high;   // the neighbours'; null where there is none
  unsigned base;        // rounds before this call

  // Of the box's own rim a slab without a neighbour has its outermost planes.
  __device__ __forceinline__ int rim(int group, int groups, int radius) const {
    return (group == 0 && !low) || (group == groups - 1 && !high) ? radius : 0;
  }
  template <int radius, int length, int rows>
  __device__ __forceinline__ SlabEnd<radius, length, rows, T> of_thread(int group, int thread) const {
    using End = SlabEnd<radius, length, rows, T>;
    constexpr int groups = Resident<radius, length, rows>::groups;
    const std::int64_t words = End::words(static_cast<int>(gridDim.x * gridDim.y)),
                       own = (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * End::vectors *
                                 End::step +
                             thread * length;
    const bool at_low = group == 0, at_high = group == groups - 1;
    End end{base, words, nullptr, nullptr, {}};
    if (at_low && low) end.from = mail + own, end.to = low + 2 * words + own;
    if (at_high && high) end.from = mail + 2 * words + own, end.to = high + own;
    return end;
  }
};

}  // namespace sextant::heat3d
