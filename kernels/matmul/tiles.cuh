// Assignment of tiles of C to blocks, their order, and the addition of a tile's partial sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "tile_distribution.cuh"
#include "toolbox/cuda/attributes.cuh"

// The order in which persistent blocks compute the tiles of C.
namespace sextant::matmul {

// Tiles are ordered in bands of `band` rows of tiles, and column by column within a band. Tiles that are
// computed at the same time thus share rows of A and columns of B, which stay in the cache.
struct Tiles {
  int rows, columns;  // number of rows and columns of tiles
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

// Addition of the partial sums of a tile that several blocks compute. Each block stores its partial sum in
// global memory, and the block that delivers the last one adds all of them. No block waits.

// Stores a thread's partial sum at `mine`; its elements there are `threads` apart. Adds `steps` to the tile's
// count. If the count reaches `all`, all partial sums are stored. The function then returns true and resets
// the count for the next launch. meet() must be a barrier of the calling threads. `last` is a word in shared
// memory.
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

// Chooses the tile shape of the variants `roles` and `bulk_roles` with the shortest estimated time.

inline constexpr int roles_depth = 32;  // steps along the inner dimension per stage

// A tile shape and its cost: the time per product on one multiprocessor, in picoseconds.
struct ShapeCost {
  int tile_m, tile_n, parts;
  double cost;
};

struct ShapeRules {
  bool whole_tiles;  // true if matrices must be at least as large as a tile
  bool divides;      // true if several blocks may share a tile of the last round
};

// Returns the shape with the least estimated time. A multiprocessor runs one block at a time. A block takes
// its number of products times cost_of(shape), the time per product at this n.
template <std::size_t count, typename Cost>
ShapeCost cheapest_shape(const ShapeCost (&shapes)[count], std::int64_t n, ShapeRules rules, Cost cost_of) {
  const int processors = multiprocessors(), steps = static_cast<int>((n + roles_depth - 1) / roles_depth);
  const ShapeCost* best = shapes;
  double least = 0;
  for (const ShapeCost& shape : shapes) {
    const auto [rows, columns, parts, cost] = shape;
    if (n <= roles_depth * (parts - 1)) continue;  // some part would have no steps
    if (rules.whole_tiles && n < std::max(rows, columns)) continue;
    const int tiles = tiles_of(n, rows, columns, 1).count();
    const TileDistribution distribution = rules.divides && parts == 1
                                              ? distribute_divided(tiles, steps, processors)
                                              : distribute_to_clusters(tiles, parts);
    const double time = rounds_of(distribution, steps, processors) * rows * columns / parts * cost_of(shape);
    if (least == 0 || time < least) least = time, best = &shape;
  }
  return *best;
}

// Assigns tiles to the blocks of `roles` and `bulk_roles`. A block may sum only a part of a tile's inner
// dimension; the partial sums are then added. K is a tile shape as in roles.cuh.

template <int threads>
__device__ __forceinline__ void meet_multiplying() {
  asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
}

// Returns the tile, or part of a tile, that this block computes. `divides`: several blocks may share a tile
// of the last round.
template <int parts, bool divides>
__device__ __forceinline__ Part part_of_block(const TileDistribution& distribution) {
  const int block = static_cast<int>(blockIdx.x);
  return divides ? distribution.part_of(block) : Part{block / parts, block % parts, parts};
}

// Stores the sums of a part of a tile. Returns true in the block that delivers the last part; its `sum` then
// holds the whole tile. All multiplying threads must call it; `last` is a word in shared memory.
template <typename K, typename T = typename K::T>
__device__ __forceinline__ bool add_parts(const TileDistribution& distribution, const Part& of, int* last,
                                          T (&sum)[K::sums]) {
  const int tile = of.tile - distribution.whole;
  const auto at = [&](int part) {
    const std::int64_t index = std::int64_t{tile} * distribution.parts + part;
    return static_cast<T*>(distribution.sums) + index * (K::sums * K::threads) + threadIdx.x;
  };
  if (!leave_part<K::threads>(sum, at(of.part), distribution.counts + tile, 1, distribution.parts, last,
                              [] { meet_multiplying<K::threads>(); }))
    return false;
#pragma unroll
  for (int i = 0; i < K::sums; ++i) sum[i] = 0;
  for (int part = 0; part < distribution.parts; ++part) add_part<K::threads>(at(part), sum);
  return true;
}

// ---- host code

// True if several blocks may share a tile of the last round. For floats the additional code changes the
// loop's register allocation and costs more than it gains.
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
std::int64_t bytes_of_sums(const TileDistribution& distribution) {
  return std::int64_t{distribution.divided()} * distribution.parts * K::threads * K::sums *
         static_cast<std::int64_t>(sizeof(typename K::T));
}

// Returns the distribution of the tiles. `memory` must have roles_workspace bytes for partial sums and
// counts; the counts must be zero.
template <typename K, int parts>
TileDistribution distribution_of(std::int64_t n, void* memory = nullptr) {
  const int tiles = band_of_tiles<K>(n).count();
  TileDistribution distribution = may_divide<K, parts>
                                      ? distribute_divided(tiles, steps_of<K>(n), multiprocessors())
                                      : distribute_to_clusters(tiles, parts);
  distribution.sums = memory;
  if (memory)
    distribution.counts = reinterpret_cast<int*>(static_cast<char*>(memory) + bytes_of_sums<K>(distribution));
  return distribution;
}

template <typename K, int parts>
std::int64_t roles_workspace(std::int64_t n) {
  const TileDistribution distribution = distribution_of<K, parts>(n);
  return !may_divide<K, parts> || distribution.divided() == 0
             ? 0
             : bytes_of_sums<K>(distribution) + distribution.divided() * std::int64_t{sizeof(int)};
}

}  // namespace sextant::matmul
