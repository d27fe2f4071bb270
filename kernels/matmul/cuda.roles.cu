// architecture: 90a
// Variant cuda.roles: four warps of a block copy, eight multiply. The blocks of a cluster may share a tile's
// inner dimension.
#include "roles_shapes.cuh"
#include "suite/tunables.hpp"
#include "wgmma.cuh"

namespace sextant {
namespace {

using matmul::RolesTensor;
using matmul::RolesTile;
using matmul::ShapeCost;

struct Tile {
  int tile_m = 128, tile_n = 128;
  int split_k = 2;  // number of blocks that share a tile's inner dimension
};

template <int parts>
struct Parts {};

// Calls function(shape, Parts) with the compiled tile shape that matches the tuning. Returns false if no
// compiled shape matches.
template <typename T, typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n, int parts) {
    return tile.tile_m == m && tile.tile_n == n && tile.split_k == parts;
  };
  if constexpr (sizeof(T) == 4) {
    if (is(32, 64, 1)) return function(RolesTile<32, 64, 8, 8, 8, 6, 4>{}, Parts<1>{}), true;
    if (is(48, 64, 1)) return function(RolesTile<48, 64, 12, 8, 8, 8, 4>{}, Parts<1>{}), true;
    if (is(64, 64, 1)) return function(RolesTile<64, 64, 16, 8, 8, 8, 4>{}, Parts<1>{}), true;
    if (is(64, 128, 1)) return function(RolesTile<64, 128, 16, 8, 4, 6, 8>{}, Parts<1>{}), true;
    if (is(80, 64, 1)) return function(RolesTile<80, 64, 20, 8, 8, 8, 4>{}, Parts<1>{}), true;
    if (is(96, 64, 1)) return function(RolesTile<96, 64, 12, 8, 4, 5, 8>{}, Parts<1>{}), true;
    if (is(128, 128, 1)) return function(RolesTile<128, 128, 16, 8, 2, 5, 8>{}, Parts<1>{}), true;
    if (is(128, 128, 2)) return function(RolesTile<128, 128, 16, 8, 2, 5, 8>{}, Parts<2>{}), true;
    if (is(160, 64, 1)) return function(RolesTile<160, 64, 20, 8, 4, 6, 4>{}, Parts<1>{}), true;
    if (is(192, 128, 1)) return function(RolesTile<192, 128, 12, 8, 1, 4, 8>{}, Parts<1>{}), true;
    if (is(256, 128, 1)) return function(RolesTile<256, 128, 16, 8, 1, 4, 8>{}, Parts<1>{}), true;
  } else {
    if (is(64, 64, 1)) return function(RolesTensor<64, 64, 32, 16, 6>{}, Parts<1>{}), true;
    if (is(64, 64, 2)) return function(RolesTensor<64, 64, 32, 16, 6>{}, Parts<2>{}), true;
    if (is(96, 64, 1)) return function(RolesTensor<96, 64, 24, 32, 5>{}, Parts<1>{}), true;
    if (is(128, 64, 1)) return function(RolesTensor<128, 64, 32, 32, 4>{}, Parts<1>{}), true;
  }
  return false;
}

template <typename T>
const char* prepare_for(const Call& call, void** memory) {
  const char* problem = nullptr;
  const std::int64_t n = call.problem.extents.x;
  with_shape<T>(call.tuned<Tile>(), [&]<typename S, int parts>(S, Parts<parts>) {
    problem = matmul::prepare_shares<S, parts>(n, matmul::roles_kernel<S, parts>(n), memory);
  });
  return problem;
}

const char* prepare(const Call& call, void** memory) {
  return call.problem.type == ElementType::float32 ? prepare_for<float>(call, memory)
                                                   : prepare_for<double>(call, memory);
}

template <typename T>
void launch(const Call& call) {
  with_shape<T>(call.tuned<Tile>(), [&]<typename S, int parts>(S, Parts<parts>) {
    const std::int64_t n = call.problem.extents.x;
    matmul::launch_shares<S, parts>(n, call.state, false, static_cast<cudaStream_t>(call.stream),
                                    matmul::roles_kernel<S, parts>(n), call.array<const T>(0),
                                    call.array<const T>(1), call.array<T>(2));
  });
}

std::int64_t workspace(const Problem& problem, const Tile& tile) {
  std::int64_t bytes = 0;
  const auto count = [&]<typename S, int parts>(S, Parts<parts>) {
    bytes = matmul::roles_workspace<S, parts>(problem.extents.x);
  };
  if (problem.type == ElementType::float32)
    with_shape<float>(tile, count);
  else
    with_shape<double>(tile, count);
  return bytes;
}

const char* constraint(const Problem& problem, const Tile& tile) {
  if (problem.extents.x <= matmul::roles_depth * (tile.split_k - 1))
    return "the inner dimension has fewer steps than split_k";
  if (problem.extents.x < std::max(tile.tile_m, tile.tile_n)) return "the matrices are smaller than a tile";
  const auto nothing = [](auto, auto) {};
  if (problem.type == ElementType::float32)
    return with_shape<float>(tile, nothing)
               ? nullptr
               : "tile_m must be 32, 48, 64, 80, 96 or 160 with tile_n=64, or 64, 128, 192 or 256 with "
                 "tile_n=128; with split_k=2, tiles must be 128x128";
  return with_shape<double>(tile, nothing)
             ? nullptr
             : "in double, tile_m x tile_n must be 64x64, 96x64 or 128x64 with split_k=1, or 64x64 with "
               "split_k=2";
}

// Candidate shapes with their costs, measured on an H200 (docs/explanation/kernels/matmul.md).
void adapt(const Problem& problem, Tile& tile) {
  constexpr ShapeCost in_float[] = {{32, 64, 1, 9.0},   {48, 64, 1, 7.6},    {64, 64, 1, 7.4},
                                    {80, 64, 1, 6.7},   {96, 64, 1, 6.2},    {160, 64, 1, 5.9},
                                    {64, 128, 1, 5.75}, {128, 128, 1, 5.45}, {128, 128, 2, 6.1},
                                    {192, 128, 1, 5.2}, {256, 128, 1, 5.1}};
  constexpr ShapeCost in_double[] = {
      {64, 64, 1, 4.8}, {64, 64, 2, 6.5}, {96, 64, 1, 4.6}, {128, 64, 1, 4.45}};
  const std::int64_t n = problem.extents.x;
  const bool aligned = n % 4 == 0;
  const ShapeCost chosen =
      problem.type == ElementType::float32
          ? matmul::cheapest_shape(
                in_float, n, {.whole_tiles = true, .divides = false},
                // If rows are unaligned, B is copied element by element, which costs more.
                [&](const ShapeCost& shape) { return shape.cost + (aligned ? 0.0 : 50.0 / shape.tile_m); })
          : matmul::cheapest_shape(in_double, n, {.whole_tiles = true, .divides = true},
                                   [](const ShapeCost& shape) { return shape.cost; });
  tile = {chosen.tile_m, chosen.tile_n, chosen.parts};
}

}  // namespace

std::vector<Variant> matmul_cuda_roles() {
  return {
      {.name = "roles",
       .description = "specialised warps: four copy, eight multiply; a cluster may split the inner dimension",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Tile>({{"tile_m", &Tile::tile_m, {32, 48, 64, 80, 96, 128, 160, 192, 256}},
                                   {"tile_n", &Tile::tile_n, {64, 128}},
                                   {"split_k", &Tile::split_k, {1, 2}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<constraint>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = [](void* memory) { cudaFree(memory); },
       .workspace = by_name<workspace>,
       .unavailable = matmul::warp_groups_unavailable}};
}

}  // namespace sextant
