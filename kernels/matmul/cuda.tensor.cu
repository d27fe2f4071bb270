#include "suite/tunables.hpp"
#include "tensor_tile.cuh"

namespace sextant {
namespace {

using matmul::TensorShape;

struct Tile {
  int tile_m = 64, tile_n = 64;
};

// The tiles there are.
template <typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n) { return tile.tile_m == m && tile.tile_n == n; };
  if (is(32, 32)) return function(TensorShape<32, 32, 32, 16, 16, 4, 3>{}), true;
  if (is(64, 32)) return function(TensorShape<64, 32, 32, 32, 16, 3, 3>{}), true;
  if (is(64, 64)) return function(TensorShape<64, 64, 16, 32, 32, 4, 2>{}), true;
  if (is(128, 64)) return function(TensorShape<128, 64, 16, 64, 32, 3, 2>{}), true;
  return false;
}

// The kernel for a shape; 16-byte copies where rows are aligned.
template <typename S>
auto kernel_for(std::int64_t n) {
  return n % 2 == 0 ? matmul::tensor_tile<S, 2> : matmul::tensor_tile<S, 1>;
}

const char* prepare(const Call& call, void**) {
  const char* problem = nullptr;
  with_shape(call.tuned<Tile>(), [&](auto shape) {
    using S = decltype(shape);
    problem = matmul::allow_shared_memory<S>(kernel_for<S>(call.problem.extents.x));
  });
  return problem;
}

void launch(const Call& call) {
  with_shape(call.tuned<Tile>(), [&](auto shape) {
    using S = decltype(shape);
    matmul::launch_tiles<S>(kernel_for<S>(call.problem.extents.x), call);
  });
}

const char* constraint(const Problem&, const Tile& tile) {
  return with_shape(tile, [](auto) {}) ? nullptr : "tiles are 32x32, 64x32, 64x64 and 128x64";
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md): the largest tile that leaves enough of them.
void adapt(const Problem& problem, Tile& tile) {
  const std::int64_t n = problem.extents.x;
  if (n <= 850)
    tile = n <= 550 ? Tile{32, 32} : Tile{64, 32};
  else
    tile = n <= 7000 ? Tile{64, 64} : Tile{128, 64};
}

}  // namespace

Variant matmul_cuda_tensor() {
  Variant variant;
  variant.description =
      "double precision on the matrix units (mma.sync), fed by a pipeline of asynchronous copies";
  variant.home = Home::cuda;
  variant.tunables =
      tunables<Tile>({{"tile_m", &Tile::tile_m, {32, 64, 128}}, {"tile_n", &Tile::tile_n, {32, 64}}});
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare leaves nothing
  return variant;
}

}  // namespace sextant
