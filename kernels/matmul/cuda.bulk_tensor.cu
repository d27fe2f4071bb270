// `tensor` with bulk tensor copies, blocks that stay, and operands that come from shared memory 16 bytes a lane at a time, in
// the registers where the matrix units want them. Compute capability 9.0 and later.
#include "bulk_tensor_tile.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using matmul::BulkState;
using matmul::BulkTensorShape;

struct Tile {
  int tile_m = 64, tile_n = 64;
  int divide = 0;  // the last tiles among all blocks
};

template <typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n) { return tile.tile_m == m && tile.tile_n == n; };
  if (is(32, 32)) return function(BulkTensorShape<32, 32, 16, 16, 4, 3>{}), true;
  if (is(64, 64)) return function(BulkTensorShape<64, 64, 32, 32, 4, 3>{}), true;
  if (is(128, 64)) return function(BulkTensorShape<128, 64, 64, 32, 4, 2>{}), true;
  if (is(128, 128)) return function(BulkTensorShape<128, 128, 32, 64, 6, 1>{}), true;
  return false;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new BulkState;
  const char* problem = nullptr;
  const Tile tile = call.tuned<Tile>();
  with_shape(tile, [&]<typename S>(S) { problem = matmul::prepare_bulk<S>(call, tile.divide == 1, *mine); });
  if (problem) {
    cudaGetLastError();  // a refusal must not be found by a later check
    delete mine;
    return problem;
  }
  *state = mine;
  return nullptr;
}

void launch(const Call& call) {
  with_shape(call.tuned<Tile>(),
             [&]<typename S>(S) { matmul::launch_bulk<S>(call, *static_cast<BulkState*>(call.state)); });
}

const char* constraint(const Problem&, const Tile& tile) {
  return with_shape(tile, [](auto) {}) ? nullptr : "tiles are 32x32, 64x64, 128x64 and 128x128";
}

// Measured on an H200 (docs/kernels/matmul.md).
void adapt(const Problem& problem, Tile& tile) {
  const std::int64_t n = problem.extents.x;
  if (n <= 400)
    tile = {32, 32, 0};
  else if (n <= 1500)
    tile = {64, 64, n < 900 ? 1 : 0};
  else
    tile = n < 6000 ? Tile{128, 64, 1} : Tile{128, 128, 1};
}

std::int64_t workspace(const Problem& problem, const Tile& tile) {
  std::int64_t bytes = 0;
  with_shape(tile,
             [&]<typename S>(S) { bytes = matmul::bulk_workspace<S>(problem.extents.x, tile.divide == 1); });
  return bytes;
}

}  // namespace

Variant matmul_cuda_bulk_tensor() {
  Variant variant;
  variant.description = "doubles on the matrix units (mma.sync), fed by bulk tensor copies; blocks that stay";
  variant.home = Home::cuda;
  variant.tunables = tunables<Tile>({{"tile_m", &Tile::tile_m, {32, 64, 128}},
                                     {"tile_n", &Tile::tile_n, {32, 64, 128}},
                                     {"divide", &Tile::divide, {0, 1}}});
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<BulkState*>(state); };
  variant.workspace = by_name<workspace>;
  variant.unavailable = matmul::bulk_unavailable;
  return variant;
}

}  // namespace sextant
