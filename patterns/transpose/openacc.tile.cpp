#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

using Sides = Choices<8, 16, 32>;

struct Tile {
  int tile_i = 8, tile_j = 32;
};

template <typename T, typename Index, int tile_i, int tile_j>
void turn(Index rows, Index columns, const T* a, T* y) {
  const std::int64_t count = std::int64_t{rows} * columns;
#pragma acc parallel loop gang vector tile(tile_j, tile_i) present(a [0:count], y [0:count]) \
    vector_length(openacc::tile_threads(tile_i* tile_j))
  for (Index first_i = 0; first_i < rows; ++first_i)
    for (Index first_j = 0; first_j < columns; ++first_j) {
      Index i = first_i, j = first_j;
      openacc::carry(columns, j, i);
      y[std::int64_t{j} * rows + i] = a[std::int64_t{i} * columns + j];
    }
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    Sides::with(tile.tile_i, [&]<int tile_i>() {
      Sides::with(tile.tile_j, [&]<int tile_j>() {
        turn<T, Index, tile_i, tile_j>(static_cast<Index>(extents.y), static_cast<Index>(extents.x),
                                       call.array<const T>(0), call.array<T>(1));
      });
    });
  });
}

}  // namespace

Variant transpose_openacc_tile() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "OpenACC's tile clause";
  variant.tunables =
      tunables<Tile>({{"tile_i", &Tile::tile_i, Sides::list()}, {"tile_j", &Tile::tile_j, Sides::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
