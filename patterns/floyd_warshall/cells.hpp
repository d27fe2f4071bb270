// Blocked Floyd-Warshall algorithm for OpenACC and OpenMP offload, for blocks of 32 vertices. Each step
// computes the shortest paths within the block. Then it stores the paths from and to the block in two arrays
// (panels). Then it updates all pairs of vertices, 4 x 4 elements (a cell) per thread.
#pragma once

#include <algorithm>

#include "loop.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::floyd_warshall {

inline constexpr std::int64_t tile = 32;  // vertices per block
inline constexpr int cell = 4;            // a thread updates cell x cell elements

// Row length of the panels, padded so that rows start at multiples of 16 bytes. The padding repeats the last
// vertex.
SEXTANT_INLINE std::int64_t padded(std::int64_t n) { return (n + cell - 1) / cell * cell; }

SEXTANT_INLINE std::int64_t panel_elements(std::int64_t n) { return tile * tile + 2 * tile * padded(n); }

// Updates among[i][j], the distance between two vertices of the block, by the path through the block's vertex
// p.
template <typename T>
SEXTANT_INLINE void relax_among(std::int64_t p, std::int64_t i, std::int64_t j, T* among) {
  among[i * tile + j] = smaller(among[i * tile + j], among[i * tile + p] + among[p * tile + j]);
}

// Returns the shortest distance from vertex k + q of the block to vertex j. The path first visits vertices of
// the block, then follows a path that d already contains.
template <typename T>
SEXTANT_INLINE T way_from(std::int64_t n, std::int64_t k, std::int64_t count, std::int64_t q, std::int64_t j,
                          const T* among, const T* d) {
  const std::int64_t to = j < n ? j : n - 1;
  T least = d[(k + q) * n + to];
  for (std::int64_t p = 0; p < count; ++p) least = smaller(least, among[q * tile + p] + d[(k + p) * n + to]);
  return least;
}

// Returns the shortest distance from vertex i to vertex k + q of the block. The path first follows a path
// that d already contains, then visits vertices of the block.
template <typename T>
SEXTANT_INLINE T way_to(std::int64_t n, std::int64_t k, std::int64_t count, std::int64_t i, std::int64_t q,
                        const T* among, const T* d) {
  const T* from = d + (i < n ? i : n - 1) * n + k;
  T least = from[q];
  for (std::int64_t p = 0; p < count; ++p) least = smaller(least, from[p] + among[p * tile + q]);
  return least;
}

// Updates the cell at (i, j) of d by paths through the block's `count` vertices. to_block and from_block are
// the panels, with one row per vertex of the block.
template <typename T>
SEXTANT_INLINE void relax_cell(std::int64_t n, std::int64_t count, std::int64_t i, std::int64_t j,
                               const T* to_block, const T* from_block, T* d) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t step = padded(n);
  T least[cell * cell];
#pragma GCC unroll 16
  for (int e = 0; e < cell * cell; ++e) {
    const std::int64_t y = i + e / cell, x = j + e % cell;
    least[e] = d[(y < n ? y : n - 1) * n + (x < n ? x : n - 1)];
  }
  for (std::int64_t p = 0; p < count; ++p) {
    T first[cell], second[cell];
#pragma GCC unroll 4
    for (int e = 0; e < cell; e += width) {
      openacc::load_pack(to_block + p * step + i + e, first + e);
      openacc::load_pack(from_block + p * step + j + e, second + e);
    }
#pragma GCC unroll 16
    for (int e = 0; e < cell * cell; ++e) least[e] = smaller(least[e], first[e / cell] + second[e % cell]);
  }
#pragma GCC unroll 16
  for (int e = 0; e < cell * cell; ++e)
    if (i + e / cell < n && j + e % cell < n) d[(i + e / cell) * n + j + e % cell] = least[e];
}

}  // namespace sextant::floyd_warshall
