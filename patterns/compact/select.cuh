// A tile of elements in registers and what is kept of it: where each kept element stands among those of its tile. A warp
// has `rows` rows of 32 vectors of 16 bytes behind one another; places come from ballots, one for each element of a
// vector.
#pragma once

#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::compact {

template <int block, int rows, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int row = 32 * width;
  static constexpr int size = block * rows * width;
  Vector<T, width> at[rows];
  unsigned kept;  // bit r * width + k: whether element k of row r is kept

  // The elements from `first` on, a multiple of the width; from n on none is kept.
  __device__ __forceinline__ void load(const T* a, std::int64_t first, std::int64_t n) {
    static_assert(rows * width <= 32);
    const std::int64_t from = first + static_cast<int>(threadIdx.x / 32) * (rows * row) +
                              static_cast<int>(threadIdx.x % 32) * width;
    if (first + size <= n) {
#pragma unroll
      for (int r = 0; r < rows; ++r) at[r] = sextant::load<width>(a + from + r * row);
    } else {
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int k = 0; k < width; ++k) at[r][k] = from + r * row + k < n ? a[from + r * row + k] : T(-1);
    }
    kept = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) kept |= (at[r][k] >= T(0) ? 1u : 0u) << (r * width + k);
  }

  // How many the warp keeps.
  __device__ __forceinline__ int count_warp() const { return warp_sum(__popc(kept)); }

  // to[place] = element, of all that are kept, for places from `place` on, that of the warp's first.
  template <typename Place>
  __device__ __forceinline__ void write(T* to, Place place) const {
    const unsigned before = (1u << (threadIdx.x % 32)) - 1;  // the lanes before the calling one
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      int mine = 0, all = 0;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const unsigned lanes = __ballot_sync(~0u, kept >> (r * width + k) & 1);
        mine += __popc(lanes & before);
        all += __popc(lanes);
      }
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (kept >> (r * width + k) & 1) to[place + mine++] = at[r][k];
      place += all;
    }
  }
};

}  // namespace sextant::compact
