// The passes along x and y of NAS FT as one kernel. Columns of a plane read the rows that were just
// transformed from the L2 cache. The field v stores plane after plane, with rows along x. A plane may be
// split into two parts of even and odd y, whose columns are half as long; join_rows then completes the
// transform.
//
// Dynamic scheduling without deadlock: thread blocks take tickets from a counter. A ticket is a tile of rows,
// or a tile of columns of a plane whose rows all have earlier tickets. A block with a tile of columns waits
// until the plane's rows are finished. Blocks wait only for earlier tickets, so the kernel makes progress
// with any number of resident blocks.
#pragma once

#include "lines.cuh"

namespace sextant::npb_ft {

struct PlanesPass {
  Pair* data;
  Pair* to;  // destination of columns: data, or a field in the natural order
  std::int64_t to_plane, to_part, to_row;
  const Pair *factors_x, *factors_y;
  unsigned* drawn;     // number of tickets taken
  unsigned* finished;  // number of finished tiles of rows of each plane
  int log_tile;        // log2 of the elements per tile
  int planes, log_parts;
  // Number of tickets by which tiles of columns lag behind tiles of rows; at least the tiles of a plane.
  int lag;
  int ny, nz;
  int first_z;     // first plane, if the field is only a range of planes; nz counts all planes
  Pair* captured;  // saved checksum points, j = 1 to 1024; null: save none
};

constexpr int points_in_planes = 16;

__device__ __forceinline__ void announce(unsigned* finished) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(finished), "r"(1u) : "memory");
}

__device__ __forceinline__ unsigned announced(const unsigned* finished) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(finished) : "memory");
  return value;
}

struct Tile {
  bool of_columns;
  int plane, index;
};

// Returns the tile of a ticket. The order is: `lag` tiles of rows, then columns and rows alternately, then
// `lag` tiles of columns.
__device__ __forceinline__ Tile tile_of(const PlanesPass& pass, int log_tiles, int ticket) {
  const int all = pass.planes << log_tiles, later = ticket - pass.lag;
  int number = ticket;
  bool of_columns = false;
  if (later >= 2 * (all - pass.lag)) {
    number = ticket - all;
    of_columns = true;
  } else if (later >= 0) {
    of_columns = later % 2 == 0;
    number = of_columns ? later / 2 : pass.lag + later / 2;
  }
  return {of_columns, number >> log_tiles, number & ((1 << log_tiles) - 1)};
}

// Transforms a tile of rows. Cache hints (.cs) mark the rows read and the columns written as used once, so
// that the data in between stay in the cache.
template <int n, bool generate>
__device__ __forceinline__ void transform_rows(const PlanesPass& pass, int rows, const Tile& tile,
                                               const Pair* factors, Pair* shared) {
  constexpr int points = points_in_planes, threads = n / points;
  const int line = static_cast<int>(threadIdx.x) / threads, thread = static_cast<int>(threadIdx.x) % threads;
  const int row = (tile.index << (pass.log_tile - log2_of(n))) + line;
  Pair* const first = pass.data + (static_cast<std::int64_t>(tile.plane) * rows + row) * n + thread;
  double re[points], im[points];
  if constexpr (generate) {
    const int part = tile.plane & ((1 << pass.log_parts) - 1);
    const std::int64_t y = (row << pass.log_parts) + part, z = pass.first_z + (tile.plane >> pass.log_parts);
    random_line<points, threads>((z * pass.ny + y) * n + thread, re, im);
  } else {
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const double2 value = __ldcs(reinterpret_cast<const double2*>(first + e * threads));
      re[e] = value.x;
      im[e] = value.y;
    }
  }
  passes<n, points, 1>(thread, factors,
                       Exchange<points, Pair>{shared + line * exchange_elements(n, points), 1}, re, im);
  store_line(first, threads, re, im);
}

template <int n>
__device__ __forceinline__ void transform_columns(const PlanesPass& pass, int width, const Tile& tile,
                                                  const Pair* factors, Pair* shared) {
  constexpr int points = points_in_planes, threads = n / points;
  const int log_columns = pass.log_tile - log2_of(n), columns = 1 << log_columns;
  const int line = static_cast<int>(threadIdx.x) & (columns - 1),
            thread = static_cast<int>(threadIdx.x) >> log_columns;
  const int x = tile.index * columns + line;
  const Pair* const from = pass.data + (static_cast<std::int64_t>(tile.plane) * n + thread) * width + x;
  double re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const double2 value = __ldcg(reinterpret_cast<const double2*>(from + e * (threads * width)));
    re[e] = value.x;
    im[e] = value.y;
  }
  passes<n, points, 1>(thread, factors, Exchange<points, Pair>{shared + line, columns}, re, im);
  const int part = tile.plane & ((1 << pass.log_parts) - 1);
  Pair* const to = pass.to + (tile.plane >> pass.log_parts) * pass.to_plane + part * pass.to_part +
                   thread * pass.to_row + x;
#pragma unroll
  for (int e = 0; e < points; ++e)
    __stcs(reinterpret_cast<double2*>(to + e * (threads * pass.to_row)), make_double2(re[e], im[e]));
}

// Saves the checksum points in a tile of `columns` columns, which this thread block has written.
__device__ __forceinline__ void capture(const PlanesPass& pass, int width, int columns, const Tile& tile) {
  const unsigned nz = pass.nz, parts = 1u << pass.log_parts, z = tile.plane >> pass.log_parts,
                 part = tile.plane & (parts - 1);
  unsigned j =
      (z + pass.first_z) * 0xCCCCCCCDu & (nz - 1);  // 5 j = z (mod nz), see the capture of transform_x
  j = (j == 0 ? nz : j) + threadIdx.x * nz;
  for (; j <= checksum_points; j += blockDim.x * nz) {
    const unsigned y = 3 * j & (pass.ny - 1), x = j & (width - 1);
    if ((y & (parts - 1)) == part && static_cast<int>(x) / columns == tile.index)
      pass.captured[j - 1] =
          pass.to[z * pass.to_plane + part * pass.to_part + (y >> pass.log_parts) * pass.to_row + x];
  }
}

// Performs the passes along x and y. A thread block has tile / points threads. The number of blocks should be
// the number that can be resident at once.
template <int rows, int width, bool generate>
__global__ void __launch_bounds__(most_threads(points_in_planes)) transform_planes(PlanesPass pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ int tickets[2];  // double buffering: one is read while the other is written
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int log_tiles = log2_of(rows * width) - pass.log_tile, end = 2 * (pass.planes << log_tiles);
  Pair* const factors_x = reinterpret_cast<Pair*>(shared);
  Pair* const factors_y = factors_x + width;
  Pair* const exchange = factors_y + rows;
  for (int i = thread; i < width; i += threads) factors_x[i] = pass.factors_x[i];
  for (int i = thread; i < rows; i += threads) factors_y[i] = pass.factors_y[i];
  if (thread == 0) tickets[1] = static_cast<int>(atomicAdd(pass.drawn, 1u));
  __syncthreads();
  int ticket = tickets[1], next = 0;
  for (int slot = 0; ticket < end; slot ^= 1) {
    const Tile tile = tile_of(pass, log_tiles, ticket);
    unsigned* const finished = pass.finished + tile.plane;
    // Requests the next ticket while this one is processed.
    if (thread == 0) next = static_cast<int>(atomicAdd(pass.drawn, 1u));
    if (tile.of_columns) {
      if (thread == 0)
        while (announced(finished) < 1u << log_tiles) {
        }
      __syncthreads();
      transform_columns<rows>(pass, width, tile, factors_y, exchange);
    } else {
      transform_rows<width, generate>(pass, rows, tile, factors_x, exchange);
    }
    if (thread == 0) tickets[slot] = next;
    __syncthreads();  // all elements are written and the exchange buffer is read
    if (!tile.of_columns) {
      if (thread == 0) announce(finished);
    } else if (pass.captured) {
      capture(pass, width, (1 << pass.log_tile) / rows, tile);
    }
    ticket = tickets[slot];
  }
}

// Returns the bytes of shared memory per thread block.
constexpr int planes_bytes(int rows, int width, int tile) {
  return static_cast<int>(sizeof(Pair)) * (rows + width + exchange_elements(tile, points_in_planes));
}

// Returns true if a kernel is compiled for these planes: rows of 64 to 512 elements, and as many or half as
// many rows.
constexpr bool has_kernel(std::int64_t rows, std::int64_t width) {
  return width >= 64 && width <= 512 && (rows == width || 2 * rows == width);
}

}  // namespace sextant::npb_ft
