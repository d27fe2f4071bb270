#include <cmath>

#include "register_tile.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using matmul::Shape;

struct Tile {
  int tile_m = 64, tile_n = 64;
};

// The tiles there are: small ones with many slices for small problems, large ones for large.
template <typename T, typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n) { return tile.tile_m == m && tile.tile_n == n; };
  if constexpr (sizeof(T) == 4) {
    if (is(16, 32)) return function(Shape<T, 16, 32, 64, 4, 4, 8, 2, 3>{}), true;
    if (is(32, 64)) return function(Shape<T, 32, 64, 32, 8, 8, 8, 3, 2>{}), true;
    if (is(64, 64)) return function(Shape<T, 64, 64, 32, 8, 8, 4, 2, 2>{}), true;
    if (is(64, 128)) return function(Shape<T, 64, 128, 16, 8, 8, 2, 4, 2>{}), true;
    if (is(128, 128)) return function(Shape<T, 128, 128, 16, 8, 8, 1, 4, 2>{}), true;
  } else {
    if (is(16, 32)) return function(Shape<T, 16, 32, 64, 4, 4, 8, 2, 2>{}), true;
    if (is(64, 64)) return function(Shape<T, 64, 64, 16, 8, 8, 2, 3, 2>{}), true;
  }
  return false;
}

// The kernel for a shape; 16-byte copies of B where its rows are aligned.
template <typename S>
auto kernel_for(std::int64_t n) {
  return n % S::pack == 0 ? matmul::register_tile<S, S::pack> : matmul::register_tile<S, 1>;
}

template <typename T>
const char* prepare_for(const Call& call) {
  const char* problem = nullptr;
  with_shape<T>(call.tuned<Tile>(), [&](auto shape) {
    using S = decltype(shape);
    problem = matmul::allow_shared_memory<S>(kernel_for<S>(call.problem.extents.x));
  });
  return problem;
}

const char* prepare(const Call& call, void**) {
  return call.problem.type == ElementType::float32 ? prepare_for<float>(call) : prepare_for<double>(call);
}

template <typename T>
void launch(const Call& call) {
  with_shape<T>(call.tuned<Tile>(), [&](auto shape) {
    using S = decltype(shape);
    matmul::launch_tiles<S>(kernel_for<S>(call.problem.extents.x), call);
  });
}

const char* constraint(const Problem& problem, const Tile& tile) {
  const auto nothing = [](auto) {};
  if (problem.type == ElementType::float32)
    return with_shape<float>(tile, nothing) ? nullptr : "tiles are 16x32, 32x64, 64x64, 64x128 and 128x128";
  return with_shape<double>(tile, nothing) ? nullptr : "tiles are 16x32 and 64x64 in double";
}

// The tile that is done first if the busiest multiprocessor's tiles each take their area over the rate at
// which the shape computes: shares of the peak measured on an H200 (docs/kernels/reduction-and-matrix.md).
void adapt(const Problem& problem, Tile& tile) {
  struct Candidate {
    Tile tile;
    double rate;
  };
  constexpr Candidate candidates[] = {
      {{16, 32}, 0.20}, {{32, 64}, 0.31}, {{64, 64}, 0.45}, {{64, 128}, 0.60}, {{128, 128}, 0.65}};
  const std::int64_t n = problem.extents.x, processors = multiprocessors();
  double best = INFINITY;
  for (const Candidate& candidate : candidates) {
    const auto [rows, columns] = candidate.tile;
    if (constraint(problem, candidate.tile)) continue;
    const std::int64_t tiles = ((n + rows - 1) / rows) * ((n + columns - 1) / columns);
    const std::int64_t rounds = (tiles + processors - 1) / processors;
    const double time = static_cast<double>(rounds) * rows * columns / candidate.rate;
    if (time >= best) continue;
    best = time;
    tile = candidate.tile;
  }
}

}  // namespace

Variant matmul_cuda_register_tile() {
  Variant variant;
  variant.description =
      "register tiles fed by a pipeline of asynchronous copies; slices of the inner dimension";
  variant.home = Home::cuda;
  variant.tunables = tunables<Tile>(
      {{"tile_m", &Tile::tile_m, {16, 32, 64, 128}}, {"tile_n", &Tile::tile_n, {32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare leaves nothing
  return variant;
}

}  // namespace sextant
