#include <cmath>

#include "bulk_tile.cuh"
#include "register_tile.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tensor_tile.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

struct Tile {
  int tile_m = 64, tile_n = 64;
};

// As `tensor`, but with bulk tensor copies and persistent blocks. Each lane reads operands from shared memory
// 16 bytes at a time, directly into the registers in which the tensor cores expect them. Needs compute
// capability 9.0.
namespace bulk_tensor {

using matmul::BulkState;
using matmul::BulkTensorShape;

struct Tile {
  int tile_m = 64, tile_n = 64;
  int split_last_tiles = 0;  // 1: divide the last tiles among all blocks
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
  with_shape(tile, [&]<typename S>(S) {
    problem = matmul::prepare_bulk<S>(call, tile.split_last_tiles == 1, *mine);
  });
  if (problem) {
    cudaGetLastError();  // Clears the error; a later check would report it.
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
  return with_shape(tile, [](auto) {}) ? nullptr : "tile_m x tile_n must be 32x32, 64x64, 128x64 or 128x128";
}

// Sets tile sizes found by measurements on an H200 (docs/explanation/kernels/matmul.md).
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
  with_shape(tile, [&]<typename S>(S) {
    bytes = matmul::bulk_workspace<S>(problem.extents.x, tile.split_last_tiles == 1);
  });
  return bytes;
}

}  // namespace bulk_tensor

// As `register_tile`, but with persistent blocks and bulk tensor copies, which cost the multiplying threads
// no instructions. With 16 by 8 elements per thread, the reads from shared memory fall from 1/4 to 3/16 of an
// element per product. Needs compute capability 9.0.
namespace bulk_tile {

using matmul::BulkShape;
using matmul::BulkState;
using matmul::TurnedShape;

struct Tile {
  int tile_m = 128, tile_n = 128;
  int split_last_tiles = 1;  // 1: divide the last tiles among all blocks
  int transpose_a = 1;       // 1: transpose A first
};

template <typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n, int turn) {
    return tile.tile_m == m && tile.tile_n == n && tile.transpose_a == turn;
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
  with_shape(tile, [&]<typename S>(S) {
    problem = matmul::prepare_bulk<S>(call, tile.split_last_tiles == 1, *mine);
  });
  if (problem) {
    cudaGetLastError();  // Clears the error; a later check would report it.
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
  return with_shape(tile, [](auto) {}) ? nullptr
                                       : "tile_m x tile_n must be 128x128, or 32x64 with transpose_a=0";
}

// Sets tile sizes found by measurements on an H200 (docs/explanation/kernels/matmul.md). If the last round of
// tiles nearly fills the GPU, its tiles are not divided.
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
  with_shape(tile, [&]<typename S>(S) {
    bytes = matmul::bulk_workspace<S>(problem.extents.x, tile.split_last_tiles == 1);
  });
  return bytes;
}

}  // namespace bulk_tile

namespace register_tile {

using matmul::Shape;

// Calls function(shape) with the compiled tile shape that matches the tuning. Small tiles with many slices of
// threads suit small problems.
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

// Returns the kernel for a tile shape. It copies B 16 bytes at a time if rows are aligned.
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
    return with_shape<float>(tile, nothing)
               ? nullptr
               : "tile_m x tile_n must be 16x32, 32x64, 64x64, 64x128 or 128x128";
  return with_shape<double>(tile, nothing) ? nullptr : "in double, tile_m x tile_n must be 16x32 or 64x64";
}

// Chooses the tile with the least estimated time, which is that of the multiprocessor with the most tiles. A
// tile's time is its area divided by `rate`. `rate` is the fraction of peak performance that its shape
// reached on an H200 (docs/explanation/kernels/reduction-and-matrix.md).
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

}  // namespace register_tile

namespace shared_tile {

using Tiles = Choices<8, 16, 32>;

struct Tile {
  int tile = 16;
};

// A block of tile by tile threads computes one tile of C, one element per thread, from tiles of A and B in
// shared memory. An incomplete last tile along the inner dimension is processed after the loop, so that the
// loop needs no bounds checks.
template <typename T, int tile>
__global__ void __launch_bounds__(tile* tile)
    matmul_shared_tile(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c) {
  __shared__ T tile_a[tile][tile], tile_b[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * tile + y;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * tile + x;
  // Threads outside C read its last row or column and store nothing.
  const T* from_a = a + min(row, n - 1) * n;
  const T* from_b = b + min(column, n - 1);
  T sum = 0;
  std::int64_t k0 = 0;
  for (; k0 + tile <= n; k0 += tile) {
    tile_a[y][x] = from_a[k0 + x];
    tile_b[y][x] = from_b[(k0 + y) * n];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  const int rest = static_cast<int>(n - k0);
  if (rest > 0) {
    if (x < rest) tile_a[y][x] = from_a[k0 + x];
    if (y < rest) tile_b[y][x] = from_b[(k0 + y) * n];
    __syncthreads();
    for (int k = 0; k < rest; ++k) sum += tile_a[y][k] * tile_b[k][x];
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  Tiles::with(call.tuned<Tile>().tile, [&]<int tile>() {
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    matmul_shared_tile<T, tile>
        <<<dim3(tiles, tiles), dim3(tile, tile), 0, static_cast<cudaStream_t>(call.stream)>>>(
            n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Tile& tile) {
  if (problem.extents.x >= 512) tile.tile = 32;
}

}  // namespace shared_tile

namespace tensor {

using matmul::TensorShape;

// Calls function(shape) with the compiled tile shape that matches the tuning.
template <typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n) { return tile.tile_m == m && tile.tile_n == n; };
  if (is(32, 32)) return function(TensorShape<32, 32, 32, 16, 16, 4, 3>{}), true;
  if (is(64, 32)) return function(TensorShape<64, 32, 32, 32, 16, 3, 3>{}), true;
  if (is(64, 64)) return function(TensorShape<64, 64, 16, 32, 32, 4, 2>{}), true;
  if (is(128, 64)) return function(TensorShape<128, 64, 16, 64, 32, 3, 2>{}), true;
  return false;
}

// Returns the kernel for a tile shape. It copies 16 bytes at a time if rows are aligned.
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
  return with_shape(tile, [](auto) {}) ? nullptr : "tile_m x tile_n must be 32x32, 64x32, 64x64 or 128x64";
}

// Chooses the largest tile that still yields enough blocks. The limits were measured on an H200
// (docs/explanation/kernels/reduction-and-matrix.md).
void adapt(const Problem& problem, Tile& tile) {
  const std::int64_t n = problem.extents.x;
  if (n <= 850)
    tile = n <= 550 ? Tile{32, 32} : Tile{64, 32};
  else
    tile = n <= 7000 ? Tile{64, 64} : Tile{128, 64};
}

}  // namespace tensor

}  // namespace

Variant matmul_cuda_register_tile() {
  Variant variant;
  variant.description =
      "register tiles fed by pipelined asynchronous copies; groups of threads may split the inner dimension";
  variant.memory_space = MemorySpace::cuda;
  variant.tunables = tunables<Tile>(
      {{"tile_m", &Tile::tile_m, {16, 32, 64, 128}}, {"tile_n", &Tile::tile_n, {32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(register_tile::launch);
  variant.constraint = by_name<register_tile::constraint>;
  variant.adapt = by_name<register_tile::adapt>;
  variant.prepare = register_tile::prepare;
  variant.release = [](void*) {};  // This variant has no state to release.
  return variant;
}

Variant matmul_cuda_shared_tile() {
  Variant variant;
  variant.description =
      "the study's form: square tiles in shared memory; the incomplete last tile after the loop";
  variant.memory_space = MemorySpace::cuda;
  variant.tunables =
      tunables<shared_tile::Tile>({{"tile", &shared_tile::Tile::tile, shared_tile::Tiles::list()}});
  variant.adapt = by_name<shared_tile::adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(shared_tile::launch);
  return variant;
}

Variant matmul_cuda_tensor() {
  Variant variant;
  variant.description = "doubles on the tensor cores (mma.sync), fed by pipelined asynchronous copies";
  variant.memory_space = MemorySpace::cuda;
  variant.tunables =
      tunables<Tile>({{"tile_m", &Tile::tile_m, {32, 64, 128}}, {"tile_n", &Tile::tile_n, {32, 64}}});
  variant.launch = {.float64 = tensor::launch};
  variant.constraint = by_name<tensor::constraint>;
  variant.adapt = by_name<tensor::adapt>;
  variant.prepare = tensor::prepare;
  variant.release = [](void*) {};  // This variant has no state to release.
  return variant;
}

std::vector<Variant> matmul_cuda() {
  return {
      {.name = "bulk_tensor",
       .description = "doubles on the tensor cores (mma.sync), fed by bulk tensor copies; persistent blocks",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<bulk_tensor::Tile>({{"tile_m", &bulk_tensor::Tile::tile_m, {32, 64, 128}},
                                        {"tile_n", &bulk_tensor::Tile::tile_n, {32, 64, 128}},
                                        {"split_last_tiles", &bulk_tensor::Tile::split_last_tiles, {0, 1}}}),
       .launch = {.float64 = bulk_tensor::launch},
       .constraint = by_name<bulk_tensor::constraint>,
       .adapt = by_name<bulk_tensor::adapt>,
       .prepare = bulk_tensor::prepare,
       .release = [](void* state) { delete static_cast<bulk_tensor::BulkState*>(state); },
       .workspace = by_name<bulk_tensor::workspace>,
       .unavailable = matmul::bulk_unavailable},
      {.name = "bulk_tile",
       .description = "register tiles fed by bulk tensor copies; persistent blocks may split the last tiles",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<bulk_tile::Tile>({{"tile_m", &bulk_tile::Tile::tile_m, {32, 128}},
                                      {"tile_n", &bulk_tile::Tile::tile_n, {64, 128}},
                                      {"split_last_tiles", &bulk_tile::Tile::split_last_tiles, {0, 1}},
                                      {"transpose_a", &bulk_tile::Tile::transpose_a, {0, 1}}}),
       .launch = {.float32 = bulk_tile::launch},
       .constraint = by_name<bulk_tile::constraint>,
       .adapt = by_name<bulk_tile::adapt>,
       .prepare = bulk_tile::prepare,
       .release = [](void* state) { delete static_cast<bulk_tile::BulkState*>(state); },
       .workspace = by_name<bulk_tile::workspace>,
       .unavailable = matmul::bulk_unavailable},
      named("register_tile", matmul_cuda_register_tile()),
      named("shared_tile", matmul_cuda_shared_tile()),
      named("tensor", matmul_cuda_tensor()),
  };
}

}  // namespace sextant
