// What is done with a tile by rounds (toolbox/cuda/rounds.cuh): a warp has `rows` rows of 32 vectors behind one another.
#pragma once

#include "tile.cuh"
#include "toolbox/cuda/rounds.cuh"

namespace sextant::inclusive_scan {

template <int threads, int rows, int slots, int blocks, typename T>
struct ByRounds {
  using Element = T;
  using Sum = T;
  using Share = Tile<threads, rows, T>;
  static constexpr int block = threads, tile = Share::size, stages = slots, per_sm = blocks;
  static constexpr std::size_t own_bytes = 0;
  static constexpr T filler = 0;
  struct Task {
    T* y;
  };

  static __device__ __forceinline__ void take(const T* from, Share& share) {
#pragma unroll
    for (int r = 0; r < rows; ++r) share.at[r] = load<Share::width>(from + Share::place() + r * Share::row);
  }
  static __device__ __forceinline__ T count(const T* from) {
    Share share;
    take(from, share);
    return warp_sum(share.sum());
  }
  static __device__ __forceinline__ void write(const Task& task, const T* from, unsigned char*,
                                               std::int64_t first, std::int64_t n, T before, T before_warp,
                                               T) {
    Share share;
    take(from, share);
    share.scan_warp();
    share.add(before + before_warp);
    share.store(task.y, first, n);
  }
  static __device__ __forceinline__ void total(const Task&, T) {}
};

}  // namespace sextant::inclusive_scan
