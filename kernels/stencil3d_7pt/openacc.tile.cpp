#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

using TilesX = Choices<8, 16, 32>;
using TilesY = Choices<4, 8>;
using TilesZ = Choices<4, 8, 32>;

struct Tile {
  int tile_x = 8, tile_y = 4, tile_z = 4;
};

template <typename T, typename Index, int tile_x, int tile_y, int tile_z>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n * n;
#pragma acc parallel loop gang vector tile(tile_x, tile_y, tile_z) present(b [0:count], c [0:count]) \
    vector_length(openacc::tile_threads(tile_x* tile_y* tile_z))
  for (Index first_z = 0; first_z < n; ++first_z)
    for (Index first_y = 0; first_y < n; ++first_y)
      for (Index first_x = 0; first_x < n; ++first_x) {
        Index x = first_x, y = first_y, z = first_z;
        openacc::carry(n, x, y, z);
        const std::int64_t i = (static_cast<std::int64_t>(z) * n + y) * n + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, n, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    TilesX::with(tile.tile_x, [&]<int X>() {
      TilesY::with(tile.tile_y, [&]<int Y>() {
        TilesZ::with(tile.tile_z, [&]<int Z>() {
          sweep<T, Index, X, Y, Z>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                                   call.array<T>(1));
        });
      });
    });
  });
}

}  // namespace

Variant stencil3d_7pt_openacc_tile() {
  Variant variant;
  variant.description = "the study's form: tile(Tx,Ty,Tz)";
  variant.home = Home::openacc;
  variant.tunables = tunables<Tile>({{"tile_x", &Tile::tile_x, TilesX::list()},
                                     {"tile_y", &Tile::tile_y, TilesY::list()},
                                     {"tile_z", &Tile::tile_z, TilesZ::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
