#include "directives.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

// One point an iteration: the three loops become one, whose iterations go to gangs of `vector_length` threads
// in order. Every operand comes from global memory, which is to say mostly from the caches, as neighbours ask
// for the same lines; nothing is kept and nobody waits. A compute region a step. Costs 6R + 1 loads a point and
// the divisions that find x, y and z from an iteration's number.
namespace collapse {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

template <int radius, heat3d::Weights weights, typename T, typename Index, int vector_length_>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma acc parallel loop gang vector collapse(3) present(u [0:count], v [0:count]) \
    vector_length(vector_length_)
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
        sweep<radius, weights, T, Index, V>(static_cast<Index>(box.x), static_cast<Index>(box.y),
                                            static_cast<Index>(box.z), from, to);
      });
    });
  });
}

Variant form() {
  Variant variant = heat3d::mapped_variant("gang vector over the three loops as one");
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace collapse

// One point an iteration, dealt out by tiles: `tile(Tx,Ty,4)` gives a gang the points of a small box, so that the
// neighbours that its threads read are largely each other's points and lie in the first-level cache. Every
// operand is a load from global memory; nothing is kept and nobody waits. A compute region a step. GCC deals
// tiles out as runs of the collapsed range, which `carry` puts right (toolbox/openacc/tile.hpp).
namespace tile {

using TilesX = Choices<16, 32, 64>;
using TilesY = Choices<1, 4, 8>;

struct Tile {
  int tile_x = 32, tile_y = 4;
};

template <int radius, heat3d::Weights weights, typename T, typename Index, int tile_x, int tile_y, int tile_z>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma acc parallel loop gang vector tile(tile_x, tile_y, tile_z) present(u [0:count], v [0:count]) \
    vector_length(openacc::tile_threads(tile_x* tile_y* tile_z))
  for (Index first_z = 0; first_z < nz; ++first_z)
    for (Index first_y = 0; first_y < ny; ++first_y)
      for (Index first_x = 0; first_x < nx; ++first_x) {
        Index x = first_x, y = first_y, z = first_z;
        openacc::carry(nx, x, y);
        openacc::carry(ny, y, z);
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    TilesX::with(tile.tile_x, [&]<int X>() {
      TilesY::with(tile.tile_y, [&]<int Y>() {
        heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
          sweep<radius, weights, T, Index, X, Y, 4>(static_cast<Index>(box.x), static_cast<Index>(box.y),
                                                    static_cast<Index>(box.z), from, to);
        });
      });
    });
  });
}

Variant form() {
  Variant variant = heat3d::mapped_variant("tile(Tx,Ty,4)");
  variant.tunables =
      tunables<Tile>({{"tile_x", &Tile::tile_x, TilesX::list()}, {"tile_y", &Tile::tile_y, TilesY::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace tile

}  // namespace

std::vector<Variant> heat3d_openacc() {
return {
named("collapse", collapse::form()),
named("tile", tile::form()),
};
}

}  // namespace sextant
