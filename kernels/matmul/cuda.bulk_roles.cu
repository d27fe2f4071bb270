// architecture: 90a
// `roles` with boxes by bulk tensor copies: a thread asks for them, eight warps multiply.
#include "bulk_roles.cuh"
#include "suite/tunables.hpp"
#include "warp_groups.cuh"

namespace sextant {
namespace {

using matmul::BulkRolesTensor;
using matmul::BulkRolesTile;
using matmul::BulkState;
using matmul::ShapeCost;

struct Tile {
  int tile_m = 128, tile_n = 128;
  int parts = 1;  // blocks that share a tile's inner dimension
};

template <int parts>
struct Parts {};

// The shapes there are; calls function(shape, Parts).
template <typename T, typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n, int parts) {
    return tile.tile_m == m && tile.tile_n == n && tile.parts == parts;
  };
  if constexpr (sizeof(T) == 4) {
    if (is(64, 128, 1)) return function(BulkRolesTile<64, 128, 16, 8, 4, 6>{}, Parts<1>{}), true;
    if (is(128, 128, 2)) return function(BulkRolesTile<128, 128, 16, 8, 2, 5>{}, Parts<2>{}), true;
    if (is(192, 128, 1)) return function(BulkRolesTile<192, 128, 12, 8, 1, 4>{}, Parts<1>{}), true;
    if (is(256, 128, 1)) return function(BulkRolesTile<256, 128, 16, 8, 1, 4>{}, Parts<1>{}), true;
  } else {
    if (is(64, 64, 2)) return function(BulkRolesTensor<64, 64, 16, 32, 8>{}, Parts<2>{}), true;
    if (is(96, 128, 1)) return function(BulkRolesTensor<96, 128, 48, 32, 7>{}, Parts<1>{}), true;
    if (is(128, 64, 1)) return function(BulkRolesTensor<128, 64, 32, 32, 8>{}, Parts<1>{}), true;
    if (is(128, 128, 1)) return function(BulkRolesTensor<128, 128, 32, 64, 7>{}, Parts<1>{}), true;
  }
  return false;
}

template <typename T>
const char* prepare_for(const Call& call, BulkState& state) {
  const char* problem = nullptr;
  with_shape<T>(call.tuned<Tile>(), [&]<typename S, int parts>(S, Parts<parts>) {
    problem = matmul::prepare_bulk_roles<S, parts>(call, state);
  });
  return problem;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new BulkState;
  const char* problem = call.problem.type == ElementType::float32 ? prepare_for<float>(call, *mine)
                                                                  : prepare_for<double>(call, *mine);
  if (problem) {
    cudaGetLastError();  // a refusal must not be found by a later check
    delete mine;
    return problem;
  }
  *state = mine;
  return nullptr;
}

template <typename T>
void launch(const Call& call) {
  with_shape<T>(call.tuned<Tile>(), [&]<typename S, int parts>(S, Parts<parts>) {
    matmul::launch_bulk_roles<S, parts>(call, *static_cast<BulkState*>(call.state));
  });
}

const char* constraint(const Problem& problem, const Tile& tile) {
  if (problem.extents.x <= matmul::roles_depth * (tile.parts - 1))
    return "the inner dimension has fewer steps than parts";
  const auto nothing = [](auto, auto) {};
  if (problem.type == ElementType::float32)
    return with_shape<float>(tile, nothing)
               ? nullptr
               : "shapes are 64x128, 192x128 and 256x128 in one part, 128x128 in two";
  return with_shape<double>(tile, nothing)
             ? nullptr
             : "shapes are 128x64, 96x128 and 128x128 in one part, 64x64 in two, in double";
}

// Measured on an H100 (docs/kernels/matmul.md).
void adapt(const Problem& problem, Tile& tile) {
  constexpr ShapeCost in_float[] = {
      {64, 128, 1, 5.6}, {128, 128, 2, 5.75}, {192, 128, 1, 5.1}, {256, 128, 1, 5.0}};
  constexpr ShapeCost in_double[] = {
      {64, 64, 2, 6.0}, {128, 64, 1, 4.35}, {96, 128, 1, 4.3}, {128, 128, 1, 4.2}};
  const auto cost = [](const ShapeCost& shape) { return shape.cost; };
  const std::int64_t n = problem.extents.x;
  const ShapeCost chosen =
      problem.type == ElementType::float32
          ? matmul::cheapest_shape(in_float, n, {.whole_tiles = false, .divides = false}, cost)
          : matmul::cheapest_shape(in_double, n, {.whole_tiles = false, .divides = true}, cost);
  tile = {chosen.tile_m, chosen.tile_n, chosen.parts};
}

std::int64_t workspace(const Problem& problem, const Tile& tile) {
  std::int64_t bytes = 0;
  const auto count = [&]<typename S, int parts>(S, Parts<parts>) {
    bytes = matmul::bulk_roles_workspace<S, parts>(problem.extents.x);
  };
  if (problem.type == ElementType::float32)
    with_shape<float>(tile, count);
  else
    with_shape<double>(tile, count);
  return bytes;
}

}  // namespace

std::vector<Variant> matmul_cuda_bulk_roles() {
  return {
      {.name = "bulk_roles",
       .description = "roles with boxes by bulk tensor copies: a thread asks for them, eight warps multiply",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Tile>({{"tile_m", &Tile::tile_m, {64, 96, 128, 192, 256}},
                                   {"tile_n", &Tile::tile_n, {64, 128}},
                                   {"parts", &Tile::parts, {1, 2}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<constraint>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<BulkState*>(state); },
       .workspace = by_name<workspace>,
       .unavailable = matmul::warp_groups_unavailable}};
}

}  // namespace sextant
