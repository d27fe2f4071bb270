// The parts of tiles that the blocks of `roles` and `bulk_roles` compute, and where the sums of divided tiles' parts meet. K: a
// shape of roles.cuh.
#pragma once

#include <type_traits>

#include "dealt_tiles.cuh"
#include "parts.cuh"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant::matmul {

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

// Leaves a part's sums for whoever adds them. True where that is this block: `sum` is the whole tile's then. The
// multiplying threads call it. `last` is a word in shared memory.
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

// Whether a last round's tiles may be divided: in float the code for that takes other registers in the loop, which costs
// more than it gains.
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
