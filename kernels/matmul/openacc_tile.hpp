// The study's OpenACC form of C = A*B, for matmul and matmul_naive, which differ in the tile they prefer.
#pragma once

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant::matmul {

using TileSides = Choices<8, 16, 32>;

template <typename Tile, typename T, typename Index, int tile_>
void multiply_tiled(Index n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector tile(tile_, tile_) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(tile_* tile_)
  for (Index tile_i = 0; tile_i < n; ++tile_i)
    for (Index tile_j = 0; tile_j < n; ++tile_j) {
      Index i = tile_i, j = tile_j;
      openacc::carry(n, j, i);
      T sum = 0;
#pragma acc loop seq
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename Tile, typename T>
void launch_tiled(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    TileSides::with(call.tuned<Tile>().tile, [&]<int side>() {
      multiply_tiled<Tile, T, Index, side>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                                           call.array<const T>(1), call.array<T>(2));
    });
  });
}

// Tile: a struct of one int, `tile`, the preferred side. It stands in the calling file's unnamed namespace,
// so that no two files hold the same offloaded instance.
template <typename Tile>
Variant tiled_variant() {
  Variant variant;
  variant.description = "the study's form: tile(T,T), T*T threads, a dot product each";
  variant.memory_space = MemorySpace::openacc;
  variant.tunables = tunables<Tile>({{"tile", &Tile::tile, TileSides::list()}});
  variant.launch = {.float32 = launch_tiled<Tile, float>, .float64 = launch_tiled<Tile, double>};
  return variant;
}

}  // namespace sextant::matmul
