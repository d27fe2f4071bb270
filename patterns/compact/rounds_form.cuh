// What is done with a tile by rounds (toolbox/cuda/rounds.cuh). A lane has `rows` vectors of 16 bytes, as in select.cuh. Places
// within a warp come of one running sum for up to four rows, whose counts share a word.
#pragma once

#include "toolbox/cuda/rounds.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::compact {

template <int threads, int rows, int slots, int blocks, typename T>
struct ByRounds {
  using Element = T;
  using Sum = std::int32_t;
  static constexpr int width = vector_length<T>, row = 32 * width;
  static constexpr int block = threads, tile = threads * rows * width, stages = slots, per_sm = blocks;
  static constexpr std::size_t own_bytes = tile * sizeof(T) + 128;  // what is kept, as it lies in y's vectors
  static constexpr T filler = -1;
  static constexpr int packed = rows < 4 ? rows : 4;  // counts of rows, 128 at most, in a word
  static_assert(rows % packed == 0);
  struct Task {
    T* y;
    std::int32_t* count;
  };

  static __device__ __forceinline__ int place() {
    return static_cast<int>(threadIdx.x / 32) * (rows * row) + static_cast<int>(threadIdx.x % 32) * width;
  }
  static __device__ __forceinline__ std::int32_t count(const T* from) {
    std::int32_t kept = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const auto vector = load<width>(from + place() + r * row);
#pragma unroll
      for (int k = 0; k < width; ++k) kept += vector[k] >= T(0);
    }
    return __reduce_add_sync(~0u, kept);
  }

  // Threads that work wait for each other; the messenger does not.
  static __device__ __forceinline__ void all_arrive() {
    asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
  }

  static __device__ __forceinline__ void write(const Task& task, const T* from, unsigned char* own,
                                               std::int64_t, std::int64_t, std::int32_t before,
                                               std::int32_t before_warp, std::int32_t of_tile) {
    T* const kept = reinterpret_cast<T*>(own);
    const int shift = before & (width - 1);  // so that vectors of `kept` are vectors of y
    int base = shift + before_warp;
#pragma unroll
    for (int r = 0; r < rows; r += packed) {
      Vector<T, width> at[packed];
      unsigned counts = 0;
#pragma unroll
      for (int p = 0; p < packed; ++p) {
        at[p] = load<width>(from + place() + (r + p) * row);
#pragma unroll
        for (int k = 0; k < width; ++k) counts += (at[p][k] >= T(0) ? 1u : 0u) << (8 * p);
      }
      const unsigned upto = warp_inclusive_sum(counts), all = __shfl_sync(~0u, upto, 31);
      const unsigned mine = upto - counts;
#pragma unroll
      for (int p = 0; p < packed; ++p) {
        int at_place = base + static_cast<int>(mine >> (8 * p) & 255u);
#pragma unroll
        for (int k = 0; k < width; ++k) {
          if (at[p][k] >= T(0)) kept[at_place] = at[p][k];
          at_place += at[p][k] >= T(0);
        }
        base += static_cast<int>(all >> (8 * p) & 255u);
      }
    }
    all_arrive();
    // From the last vector of y that begins at or before the first place.
    T* const to = task.y + (before - shift);
    const int end = shift + of_tile;
    for (int v = static_cast<int>(threadIdx.x) * width; v < end; v += threads * width) {
      if (v >= shift && v + width <= end) {
        store_streaming(to + v, load<width>(kept + v));
      } else {
#pragma unroll
        for (int k = 0; k < width; ++k)
          if (v + k >= shift && v + k < end) to[v + k] = kept[v + k];
      }
    }
  }
  static __device__ __forceinline__ void total(const Task& task, std::int32_t all) { *task.count = all; }
};

}  // namespace sextant::compact
