// Which block computes which tile of C, in what order, and how the parts of a tile are added.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "dealt_tiles.cuh"
#include "toolbox/cuda/attributes.cuh"

// Which tile of C comes when, for blocks that take one after the other.
namespace sextant::matmul {

// Tiles in bands of so many rows of them, down each column of a band, so that blocks at work together share
// rows of A and columns of B, which stay in the cache.
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

// Sums of a tile's parts that several blocks compute: each leaves its own in memory, and the block that
// brings the last one adds all of them, so that nobody waits.

// Leaves a part's sums at `mine`, a thread's `threads` apart, and adds `steps` to the tile's count. True
// where that makes it `all`: the other parts are there, too, and the count is zero for the next launch.
// meet(): a barrier of the threads that call it; `last`: a word in shared memory.
template <int threads, int count, typename T, typename Meet>
__device__ __forceinline__ bool leave_part(const T (&sum)[count], T* mine, int* counted, int steps, int all,
                                           int* last, Meet meet) {
#pragma unroll
  for (int i = 0; i < count; ++i) mine[i * threads] = sum[i];
  __threadfence();
  meet();
  if (threadIdx.x == 0) *last = atomicAdd(counted, steps) + steps == all;
  meet();
  if (!*last) return false;
  __threadfence();
  if (threadIdx.x == 0) *counted = 0;
  return true;
}

template <int threads, int count, typename T>
__device__ __forceinline__ void add_part(const T* part, T (&sum)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) sum[i] += __ldcg(part + i * threads);
}

// Which shape of `roles` or `bulk_roles` is done first, by a count of rounds of blocks.

inline constexpr int roles_depth = 32;  // inner steps of a stage

// A shape, and what it costs: picoseconds a product and multiprocessor.
struct ShapeCost {
  int tile_m, tile_n, parts;
  double cost;
};

struct ShapeRules {
  bool whole_tiles;  // matrices have a tile at least
  bool divides;      // tiles of the last round may be divided
};

// The shape that is done first if a multiprocessor has one block at a time and each takes its share of the
// products times the cost. cost_of(shape): what it costs at this n.
template <std::size_t count, typename Cost>
ShapeCost cheapest_shape(const ShapeCost (&shapes)[count], std::int64_t n, ShapeRules rules, Cost cost_of) {
  const int processors = multiprocessors(), steps = static_cast<int>((n + roles_depth - 1) / roles_depth);
  const ShapeCost* best = shapes;
  double least = 0;
  for (const ShapeCost& shape : shapes) {
    const auto [rows, columns, parts, cost] = shape;
    if (n <= roles_depth * (parts - 1)) continue;  // fewer steps than parts
    if (rules.whole_tiles && n < std::max(rows, columns)) continue;
    const int tiles = tiles_of(n, rows, columns, 1).count();
    const DealtTiles deal =
        rules.divides && parts == 1 ? deal_divided(tiles, steps, processors) : deal_to_clusters(tiles, parts);
    const double time = rounds_of(deal, steps, processors) * rows * columns / parts * cost_of(shape);
    if (least == 0 || time < least) least = time, best = &shape;
  }
  return *best;
}

// The parts of tiles that the blocks of `roles` and `bulk_roles` compute, and where the sums of divided
// tiles' parts meet. K: a shape of roles.cuh.

template <int threads>
__device__ __forceinline__ void meet_multiplying() {
  asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
}

// The part of this block; divides: tiles of the last round may be divided.
template <int parts, bool divides>
__device__ __forceinline__ Part part_of_block(const DealtTiles& deal) {
  const int block = static_cast<int>(blockIdx.x);
  return divides ? deal.part_of(block) : Part{block / parts, block % parts, parts};
}

// Leaves a part's sums for whoever adds them. True where that is this block: `sum` is the whole tile's then.
// The multiplying threads call it. `last` is a word in shared memory.
template <typename K, typename T = typename K::T>
__device__ __forceinline__ bool add_parts(const DealtTiles& deal, const Part& of, int* last,
                                          T (&sum)[K::sums]) {
  const int tile = of.tile - deal.whole;
  const auto at = [&](int part) {
    const std::int64_t index = std::int64_t{tile} * deal.parts + part;
    return static_cast<T*>(deal.sums) + index * (K::sums * K::threads) + threadIdx.x;
  };
  if (!leave_part<K::threads>(sum, at(of.part), deal.counts + tile, 1, deal.parts, last,
                              [] { meet_multiplying<K::threads>(); }))
    return false;
#pragma unroll
  for (int i = 0; i < K::sums; ++i) sum[i] = 0;
  for (int part = 0; part < deal.parts; ++part) add_part<K::threads>(at(part), sum);
  return true;
}

// ---- on the host

// Whether a last round's tiles may be divided: in float the code for that takes other registers in the loop,
// which costs more than it gains.
template <typename K, int parts>
constexpr bool may_divide = parts == 1 && std::is_same_v<typename K::T, double>;

template <typename K>
int steps_of(std::int64_t n) {
  return static_cast<int>((n + K::depth - 1) / K::depth);
}

template <typename K>
Tiles band_of_tiles(std::int64_t n) {
  return tiles_of(n, K::tile_m, K::tile_n, 8);
}

template <typename K>
std::int64_t bytes_of_sums(const DealtTiles& deal) {
  return std::int64_t{deal.divided()} * deal.parts * K::threads * K::sums *
         static_cast<std::int64_t>(sizeof(typename K::T));
}

// memory: roles_workspace bytes, of which the counts are zero.
template <typename K, int parts>
DealtTiles deal_of(std::int64_t n, void* memory = nullptr) {
  const int tiles = band_of_tiles<K>(n).count();
  DealtTiles deal = may_divide<K, parts> ? deal_divided(tiles, steps_of<K>(n), multiprocessors())
                                         : deal_to_clusters(tiles, parts);
  deal.sums = memory;
  if (memory) deal.counts = reinterpret_cast<int*>(static_cast<char*>(memory) + bytes_of_sums<K>(deal));
  return deal;
}

template <typename K, int parts>
std::int64_t roles_workspace(std::int64_t n) {
  const DealtTiles deal = deal_of<K, parts>(n);
  return !may_divide<K, parts> || deal.divided() == 0
             ? 0
             : bytes_of_sums<K>(deal) + deal.divided() * std::int64_t{sizeof(int)};
}

}  // namespace sextant::matmul
