#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

using Tiles = Choices<8, 16, 32>;

struct Tile {
  int tile = 8;
};

template <typename T, typename Index, int tile_>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n;
#pragma acc parallel loop gang vector tile(tile_, tile_) present(b [0:count], c [0:count]) \
    vector_length(tile_* tile_)
  for (Index tile_y = 0; tile_y < n; ++tile_y)
    for (Index tile_x = 0; tile_x < n; ++tile_x) {
      Index x = tile_x, y = tile_y;
      openacc::carry(n, x, y);
      const std::int64_t i = static_cast<std::int64_t>(y) * n + x;
      const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      c[i] = border ? b[i] : stencil2d_4pt::point(b, n, i);
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    Tiles::with(call.tuned<Tile>().tile, [&]<int V>() {
      sweep<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                         call.array<T>(1));
    });
  });
}

}  // namespace

Variant stencil2d_4pt_openacc_tile() {
  Variant variant;
  variant.description = "the study's form: tile(T,T), T*T threads";
  variant.home = Home::openacc;
  variant.tunables = tunables<Tile>({{"tile", &Tile::tile, Tiles::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
