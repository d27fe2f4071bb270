// Which tile of C comes when, for blocks that take one after the other.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sextant::matmul {

// Tiles in bands of so many rows of them, down each column of a band, so that blocks at work together share rows of A and
// columns of B, which stay in the cache.
struct Tiles {
  int rows, columns;  // of tiles
  int band;

  struct Place {
    int row, column;
  };
  __host__ __device__ int count() const { return rows * columns; }
  __device__ __forceinline__ Place place(int tile) const {
    const int in_band = band * columns, first = tile / in_band * band;
    const int height = min(band, rows - first), left = tile % in_band;
    return {first + left % height, left / height};
  }
};

inline Tiles tiles_of(std::int64_t n, int tile_m, int tile_n, int band) {
  return {static_cast<int>((n + tile_m - 1) / tile_m), static_cast<int>((n + tile_n - 1) / tile_n), band};
}

}  // namespace sextant::matmul
