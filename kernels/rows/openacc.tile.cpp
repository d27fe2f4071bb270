#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

using TilesX = Choices<1, 8, 16>;
using TilesY = Choices<32, 64, 128>;

struct Tile {
  int tile_x = 1, tile_y = 32;
};

template <typename T, typename Index, int tile_x, int tile_y>
void copy(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector tile(tile_y, tile_x) present(b [0:count], c [0:count]) \
    vector_length(openacc::tile_threads(tile_x* tile_y))
  for (Index first_x = 0; first_x < n; ++first_x)
    for (Index first_y = 0; first_y < n; ++first_y) {
      Index x = first_x, y = first_y;
      openacc::carry(n, y, x);
      c[y * side + x] = b[y * side + x];
    }
}

template <typename T>
void launch(const Call& call) {
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    TilesX::with(tile.tile_x, [&]<int X>() {
      TilesY::with(tile.tile_y, [&]<int Y>() {
        copy<T, Index, X, Y>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                             call.array<T>(1));
      });
    });
  });
}

// What lost least on an H200.
void adapt(const Problem& problem, Tile& tile) {
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes > (std::int64_t{64} << 20)) tile.tile_y = 128;
}

}  // namespace

Variant rows_openacc_tile() {
  Variant variant;
  variant.description = "the study's form: tile(Ty,Tx) with the rows innermost";
  variant.home = Home::openacc;
  variant.tunables =
      tunables<Tile>({{"tile_x", &Tile::tile_x, TilesX::list()}, {"tile_y", &Tile::tile_y, TilesY::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
