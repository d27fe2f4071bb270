#include <cmath>

#include "register_tile.cuh"
#include "suite/tunables.hpp"

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
const char* allow_shared_memory(const Call& call) {
  const char* problem = nullptr;
  with_shape<T>(call.tuned<Tile>(), [&](auto shape) {
    using S = decltype(shape);
    if (cudaFuncSetAttribute(kernel_for<S>(call.problem.extents.x),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes) != cudaSuccess) {
      cudaGetLastError();  // the refusal must not be found by a later check
      problem = "this GPU has too little shared memory for the tile";
    }
  });
  return problem;
}

const char* prepare(const Call& call, void**) {
  return call.problem.type == ElementType::float32 ? allow_shared_memory<float>(call)
                                                   : allow_shared_memory<double>(call);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  with_shape<T>(call.tuned<Tile>(), [&](auto shape) {
    using S = decltype(shape);
    const dim3 grid(static_cast<unsigned>((n + S::block_n - 1) / S::block_n),
                    static_cast<unsigned>((n + S::block_m - 1) / S::block_m));
    const auto kernel = kernel_for<S>(n);
    kernel<<<grid, S::threads, S::shared_bytes, static_cast<cudaStream_t>(call.stream)>>>(
        n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

const char* constraint(const Problem& problem, const Tile& tile) {
  const auto nothing = [](auto) {};
  if (problem.type == ElementType::float32)
    return with_shape<float>(tile, nothing) ? nullptr : "tiles are 16x32, 32x64, 64x64, 64x128 and 128x128";
  return with_shape<double>(tile, nothing) ? nullptr : "tiles are 16x32 and 64x64 in double";
}

// The tile that is done first if the busiest multiprocessor's tiles each take their area over the rate at
// which the shape computes: shares of the peak measured on an H200 (docs/kernels/reduction-and-matrix.md),
// with its 132 multiprocessors.
void adapt(const Problem& problem, Tile& tile) {
  struct Candidate {
    Tile tile;
    double rate;
  };
  constexpr Candidate candidates[] = {
      {{16, 32}, 0.20}, {{32, 64}, 0.31}, {{64, 64}, 0.45}, {{64, 128}, 0.60}, {{128, 128}, 0.65}};
  const std::int64_t n = problem.extents.x;
  double best = INFINITY;
  for (const Candidate& candidate : candidates) {
    const auto [rows, columns] = candidate.tile;
    if (constraint(problem, candidate.tile)) continue;
    const std::int64_t tiles = ((n + rows - 1) / rows) * ((n + columns - 1) / columns);
    const double time = static_cast<double>((tiles + 131) / 132) * rows * columns / candidate.rate;
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
