// Stores the nonzeros of a matrix in two orders, which `prepare` computes. Nonzeros are split into tiles of
// equal size, and columns into slabs. Slab order sorts nonzeros by slab, then by tile. Tile order sorts them
// by tile, then by slab. In both orders, the nonzeros of one tile and slab fill whole groups of eight, with
// empty slots as padding. So elements of x move in whole 32-byte sectors.
#pragma once

#include <algorithm>
#include <cstdint>

#include "loop.hpp"
#include "toolbox/carving.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::spmv {

inline constexpr int group = 8;  // number of nonzeros per group

struct Cut {
  int rows, entries, tile, slab;  // tile: number of nonzeros per tile. slab: number of columns per slab.
  int tiles, slabs;

  Cut(const Problem& problem, int tile_entries, int slab_columns)
      : rows(static_cast<int>(rows_of(problem))),
        entries(static_cast<int>(entries_of(problem))),
        tile(tile_entries),
        slab(slab_columns),
        tiles((entries + tile - 1) / tile),
        slabs((rows + slab - 1) / slab) {}

  __host__ __device__ std::int64_t pairs() const { return std::int64_t{tiles} * slabs; }
  std::int64_t most_groups() const {
    return (entries + (group - 1) * std::min<std::int64_t>(pairs(), entries)) / group + 1;
  }
};

// The two orders, as arrays in device memory.
struct Order {
  // Index of the first group of each pair of tile and slab, in tile order (by_tile) and in slab order
  // (by_slab). The last element is the total number of groups.
  std::uint32_t *by_tile, *by_slab;
  std::uint32_t* target;  // position in tile order of each group in slab order
  std::uint16_t* column;  // column of each nonzero in slab order, relative to the start of the slab
  // index of each nonzero in tile order, relative to the start of its tile; `tile` marks an empty slot
  std::uint16_t* entry;
  std::int32_t*
      first;  // first row that ends after the first nonzero of each tile; the last element is `rows`

  // Lays out the arrays from address `memory` on and returns their size in bytes.
  static std::int64_t lay_out(const Cut& cut, std::uintptr_t memory, Order* order) {
    Carving room(memory);
    room.take(order->by_tile, cut.pairs() + 1);
    room.take(order->by_slab, cut.pairs() + 1);
    room.take(order->target, cut.most_groups());
    room.take(order->column, cut.most_groups() * group);
    room.take(order->entry, cut.most_groups() * group);
    room.take(order->first, cut.tiles + 1);
    return room.bytes();
  }
};

// Counts the groups that the calling block's tile has in each slab.
static __global__ void count_groups(Cut cut, const std::int32_t* col, Order order) {
  extern __shared__ std::uint32_t entries_of_slab[];
  const int t = static_cast<int>(blockIdx.x), threads = static_cast<int>(blockDim.x);
  const int begin = t * cut.tile, end = min(cut.entries, begin + cut.tile);
  for (int s = static_cast<int>(threadIdx.x); s < cut.slabs; s += threads) entries_of_slab[s] = 0;
  __syncthreads();
  for (int e = begin + static_cast<int>(threadIdx.x); e < end; e += threads)
    atomicAdd(&entries_of_slab[col[e] / cut.slab], 1u);
  __syncthreads();
  for (int s = static_cast<int>(threadIdx.x); s < cut.slabs; s += threads) {
    const std::uint32_t groups = (entries_of_slab[s] + group - 1) / group;
    order.by_tile[std::int64_t{t} * cut.slabs + s] = groups;
    order.by_slab[std::int64_t{s} * cut.tiles + t] = groups;
  }
}

// Replaces the numbers of groups by their exclusive prefix sums. Block 0 does so in tile order, block 1 in
// slab order.
template <int block>
__global__ void __launch_bounds__(block) sum_groups(Cut cut, Order order) {
  constexpr int each = 8;
  __shared__ std::uint32_t totals[block / 32];
  std::uint32_t* values = blockIdx.x == 0 ? order.by_tile : order.by_slab;
  const std::int64_t pairs = cut.pairs();
  std::uint32_t before = 0;
  for (std::int64_t base = 0; base < pairs; base += block * each) {
    const std::int64_t at = base + static_cast<std::int64_t>(threadIdx.x) * each;
    std::uint32_t mine[each], sum = 0;
    for (int k = 0; k < each; ++k) {
      mine[k] = at + k < pairs ? values[at + k] : 0;
      sum += mine[k];
    }
    const std::uint32_t inclusive = warp_inclusive_sum(sum);
    const WarpTotals<block, std::uint32_t> warps(__shfl_sync(~0u, inclusive, 31), totals);
    std::uint32_t place = before + warps.before + inclusive - sum;
    for (int k = 0; k < each; ++k) {
      if (at + k < pairs) values[at + k] = place;
      place += mine[k];
    }
    before += warps.all;
    __syncthreads();
  }
  if (threadIdx.x == 0) values[pairs] = before;
}

// Puts the nonzeros of the calling block's tile into both orders. A nonzero gets an arbitrary slot of its
// group, but the same one in both orders.
static __global__ void place_entries(Cut cut, const std::int32_t* col, Order order) {
  extern __shared__ std::uint32_t entries_of_slab[];
  const int t = static_cast<int>(blockIdx.x), threads = static_cast<int>(blockDim.x);
  const int begin = t * cut.tile, end = min(cut.entries, begin + cut.tile);
  const auto by_tile = [&](int s) { return std::int64_t{order.by_tile[std::int64_t{t} * cut.slabs + s]}; };
  const auto by_slab = [&](int s) { return std::int64_t{order.by_slab[std::int64_t{s} * cut.tiles + t]}; };
  for (int s = static_cast<int>(threadIdx.x); s < cut.slabs; s += threads) entries_of_slab[s] = 0;
  __syncthreads();
  for (int e = begin + static_cast<int>(threadIdx.x); e < end; e += threads) {
    const int s = col[e] / cut.slab;
    const std::uint32_t k = atomicAdd(&entries_of_slab[s], 1u);
    order.column[by_slab(s) * group + k] = static_cast<std::uint16_t>(col[e] - s * cut.slab);
    order.entry[by_tile(s) * group + k] = static_cast<std::uint16_t>(e - begin);
  }
  __syncthreads();
  for (int s = static_cast<int>(threadIdx.x); s < cut.slabs; s += threads) {
    const std::uint32_t entries = entries_of_slab[s], groups = (entries + group - 1) / group;
    for (std::uint32_t k = entries; k < groups * group; ++k) {
      order.column[by_slab(s) * group + k] = 0;
      order.entry[by_tile(s) * group + k] = static_cast<std::uint16_t>(cut.tile);
    }
    for (std::uint32_t k = 0; k < groups; ++k)
      order.target[by_slab(s) + k] = static_cast<std::uint32_t>(by_tile(s) + k);
  }
}

static __global__ void find_rows(Cut cut, const std::int32_t* row, Order order) {
  const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (t > cut.tiles) return;
  int low = 0, high = t == 0 ? 0 : cut.rows;
  if (t == cut.tiles) low = high;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (row[middle + 1] > t * cut.tile)
      high = middle;
    else
      low = middle + 1;
  }
  order.first[t] = low;
}

inline void make_order(const Cut& cut, const std::int32_t* row, const std::int32_t* col, const Order& order,
                       cudaStream_t stream) {
  constexpr int block = 512;
  const std::size_t bytes = static_cast<std::size_t>(cut.slabs) * sizeof(std::uint32_t);
  const auto tiles = static_cast<unsigned>(cut.tiles);
  count_groups<<<tiles, block, bytes, stream>>>(cut, col, order);
  sum_groups<1024><<<2, 1024, 0, stream>>>(cut, order);
  place_entries<<<tiles, block, bytes, stream>>>(cut, col, order);
  find_rows<<<blocks_for(tiles + 1, 256), 256, 0, stream>>>(cut, row, order);
}

}  // namespace sextant::spmv
