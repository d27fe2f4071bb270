// `register_tile` with copies that cost the multiplying threads nothing, blocks that stay, and 16 by 8 elements a thread:
// what a thread reads from shared memory for a product falls from 1/4 of an element to 3/16. Compute capability 9.0 and
// later.
#include "bulk_tile.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using matmul::BulkShape;
using matmul::BulkState;
using matmul::TurnedShape;

struct Tile {
  int tile_m = 128, tile_n = 128;
  int divide = 1;  // the last tiles among all blocks
  int turn = 1;    // A is transposed first
};

template <typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n, int turn) {
    return tile.tile_m == m && tile.tile_n == n && tile.turn == turn;
  };
  if (is(32, 64, 0)) return function(BulkShape<32, 64, 8, 8, 4, 4, 3, 4, 2>{}), true;
  if (is(128, 128, 0)) return function(BulkShape<128, 128, 16, 8, 1, 3, 2, 1, 2>{}), true;
  if (is(128, 128, 1)) return function(TurnedShape<128, 128, 16, 8, 3, 2, 8>{}), true;
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
  return with_shape(tile, [](auto) {}) ? nullptr : "tiles are 32x64 without `turn` and 128x128";
}

// Measured on an H200 (docs/kernels/matmul.md). A round that is nearly full is not divided.
void adapt(const Problem& problem, Tile& tile) {
  const std::int64_t n = problem.extents.x;
  if (n < 900) {
    tile = {32, 64, 0, 0};
    return;
  }
  const std::int64_t side = (n + 127) / 128, blocks = 2 * multiprocessors();
  tile = {128, 128, side * side <= blocks && 10 * side * side > 9 * blocks ? 0 : 1, n < 1300 ? 0 : 1};
}

std::int64_t workspace(const Problem& problem, const Tile& tile) {
  std::int64_t bytes = 0;
  with_shape(tile,
             [&]<typename S>(S) { bytes = matmul::bulk_workspace<S>(problem.extents.x, tile.divide == 1); });
  return bytes;
}

}  // namespace

Variant matmul_cuda_bulk_tile() {
  Variant variant;
  variant.description =
      "register tiles fed by bulk tensor copies; blocks that stay and divide the last tiles";
  variant.home = Home::cuda;
  variant.tunables = tunables<Tile>({{"tile_m", &Tile::tile_m, {32, 128}},
                                     {"tile_n", &Tile::tile_n, {64, 128}},
                                     {"divide", &Tile::divide, {0, 1}},
                                     {"turn", &Tile::turn, {0, 1}}});
  variant.launch = {.float32 = launch};
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<BulkState*>(state); };
  variant.workspace = by_name<workspace>;
  variant.unavailable = matmul::bulk_unavailable;
  return variant;
}

}  // namespace sextant
