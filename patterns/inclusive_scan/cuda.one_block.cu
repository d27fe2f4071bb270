#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"

namespace sextant {
namespace {

using Blocks = Choices<256, 512, 1024>;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int block_size = 1024, rows = 2;
};

template <int block, int rows, typename T>
__global__ void __launch_bounds__(block) scan(std::int64_t n, const T* __restrict__ a, T* __restrict__ y) {
  __shared__ T totals[2][block / 32];  // in turns: one barrier a tile
  using Share = inclusive_scan::Tile<block, rows, T>;
  T before = 0;
  int turn = 0;
  for (std::int64_t first = 0; first < n; first += Share::size, turn ^= 1) {
    Share tile;
    tile.load(a, first, n);
    const WarpTotals<block, T> warps(tile.scan_warp(), totals[turn]);
    tile.add(before + warps.before);
    tile.store(y, first, n);
    before += warps.all;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      scan<block, rows, T><<<1, block, 0, stream_of(call)>>>(call.problem.extents.x, call.array<const T>(0),
                                                             call.array<T>(1));
    });
  });
}

}  // namespace

Variant inclusive_scan_cuda_one_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one block, tile after tile: for sizes at which blocks wait longer for each other";
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, Blocks::list()}, {"rows", &Shape::rows, Rows::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
