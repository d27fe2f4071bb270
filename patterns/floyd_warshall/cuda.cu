#include <cooperative_groups.h>

#include "min_plus.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using namespace floyd_warshall;

// Blocked Floyd-Warshall with tiles of the distance matrix in shared memory, one element per thread. Each
// block of vertices takes three launches: its diagonal tile, the tiles in its row and column, the other
// tiles.
namespace blocked {

using Tiles = Choices<8, 16, 32>;

struct Shape {
  int tile = 32;
};

template <typename T, int tile>
using Square = T[tile][tile + 1];

// The calling thread's element of tile (i, j). Elements outside the matrix have the value for "no path".
template <int tile, typename T>
__device__ __forceinline__ T element(std::int64_t n, const T* d, unsigned i, unsigned j) {
  const std::int64_t y = static_cast<std::int64_t>(i) * tile + threadIdx.y,
                     x = static_cast<std::int64_t>(j) * tile + threadIdx.x;
  return y < n && x < n ? d[y * n + x] : static_cast<T>(floyd_warshall::far);
}
template <int tile, typename T>
__device__ __forceinline__ void store(std::int64_t n, T* d, unsigned i, unsigned j, T value) {
  const std::int64_t y = static_cast<std::int64_t>(i) * tile + threadIdx.y,
                     x = static_cast<std::int64_t>(j) * tile + threadIdx.x;
  if (y < n && x < n) d[y * n + x] = value;
}

// Computes the shortest paths within diagonal tile k. Threads write only elements that become smaller. In
// step p these are never in row p or column p, so no thread reads what another writes.
template <int tile, typename T>
__global__ void __launch_bounds__(tile* tile) close(std::int64_t n, unsigned k, T* d) {
  __shared__ Square<T, tile> among;
  T least = among[threadIdx.y][threadIdx.x] = element<tile>(n, d, k, k);
  for (int p = 0; p < tile; ++p) {
    __syncthreads();
    const T over = among[threadIdx.y][p] + among[p][threadIdx.x];
    if (over < least) among[threadIdx.y][threadIdx.x] = least = over;
  }
  store<tile>(n, d, k, k, least);
}

// Updates the tiles in row k (if blockIdx.y is 0) or column k of the matrix of tiles.
template <int tile, typename T>
__global__ void __launch_bounds__(tile* tile) cross(std::int64_t n, unsigned k, T* d) {
  if (blockIdx.x == k) return;
  __shared__ Square<T, tile> first, second;
  const unsigned i = blockIdx.y == 0 ? k : blockIdx.x, j = blockIdx.y == 0 ? blockIdx.x : k;
  first[threadIdx.y][threadIdx.x] = element<tile>(n, d, i, k);
  second[threadIdx.y][threadIdx.x] = element<tile>(n, d, k, j);
  __syncthreads();
  T least = static_cast<T>(floyd_warshall::far);
  for (int p = 0; p < tile; ++p)
    least = floyd_warshall::relaxed(least, first[threadIdx.y][p], second[p][threadIdx.x]);
  store<tile>(n, d, i, j, least);
}

template <int tile, typename T>
__global__ void __launch_bounds__(tile* tile) rest(std::int64_t n, unsigned k, T* d) {
  if (blockIdx.x == k || blockIdx.y == k) return;
  __shared__ Square<T, tile> first, second;
  T least = element<tile>(n, d, blockIdx.y, blockIdx.x);
  first[threadIdx.y][threadIdx.x] = element<tile>(n, d, blockIdx.y, k);
  second[threadIdx.y][threadIdx.x] = element<tile>(n, d, k, blockIdx.x);
  __syncthreads();
#pragma unroll
  for (int p = 0; p < tile; ++p)
    least = floyd_warshall::relaxed(least, first[threadIdx.y][p], second[p][threadIdx.x]);
  store<tile>(n, d, blockIdx.y, blockIdx.x, least);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* d = call.array<T>(1);
  cudaMemcpyAsync(d, call.array<const T>(0), static_cast<std::size_t>(n * n) * sizeof(T),
                  cudaMemcpyDeviceToDevice, stream_of(call));
  Tiles::with(call.tuned<Shape>().tile, [&]<int tile>() {
    const unsigned tiles = blocks_for(n, tile);
    const dim3 block(tile, tile);
    for (unsigned k = 0; k < tiles; ++k) {
      close<tile><<<1, block, 0, stream_of(call)>>>(n, k, d);
      if (tiles == 1) break;
      cross<tile><<<dim3(tiles, 2), block, 0, stream_of(call)>>>(n, k, d);
      rest<tile><<<dim3(tiles, tiles), block, 0, stream_of(call)>>>(n, k, d);
    }
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return refuse_block(problem.extents, shape.tile, shape.tile, 1);
}

}  // namespace blocked

// Cooperative launch of one kernel for all steps, with two grid barriers per tile of vertices (tiles.cuh).
namespace persistent {

struct Shape {
  int tile = 64, elements_per_thread = 4, blocks = 132;
};

template <int tile, int per, typename T>
__global__ void __launch_bounds__(threads, 2) all_tiles(Paths<T> paths) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const shared = reinterpret_cast<T*>(shared_bytes);
  constexpr int square = tile * SharedTiles<tile>::step, size = SharedRegion<per>::size;
  const auto grid = cooperative_groups::this_grid();
  const int block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x),
            tiles = 2 * (paths.m / tile), regions = paths.m / size;
  fill(paths);
  for (int k = 0; k < paths.n; k += tile) {
    grid.sync();
    if (block < tiles) close<tile>(paths, k, shared, shared + 2 * square);
    for (int index = block; index < tiles; index += blocks) {
      find_ways<tile>(paths, k, index, shared, shared + square);
      __syncthreads();  // The next tile reuses the shared memory.
    }
    grid.sync();
    for (int index = block; index < regions * regions; index += blocks)
      relax_region<tile, per>(paths, index / regions * size, index % regions * size, shared);
  }
  if (paths.matrix == paths.d) return;
  grid.sync();
  hand_out(paths);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Paths<T> paths = paths_of<T>(call, shape.tile, shape.elements_per_thread);
  void* arguments[] = {&paths};
  with_shape<T>(shape.tile, shape.elements_per_thread, [&]<int tile, int per>() {
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(all_tiles<tile, per, T>),
                                dim3(static_cast<unsigned>(shape.blocks)), dim3(threads), arguments,
                                static_cast<std::size_t>(shared_bytes_of_both<T, tile, per>),
                                stream_of(call));
  });
}

template <typename T>
const char* prepare_for(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const char* problem = nullptr;
  with_shape<T>(shape.tile, shape.elements_per_thread, [&]<int tile, int per>() {
    problem = allow_shared_memory(reinterpret_cast<const void*>(all_tiles<tile, per, T>),
                                  shared_bytes_of_both<T, tile, per>);
  });
  return problem ? problem
                 : allocate(workspace_of(call.problem, shape.tile, shape.elements_per_thread), state);
}

const char* prepare(const Call& call, void** state) {
  switch (call.problem.type) {
    case ElementType::float32:
      return prepare_for<float>(call, state);
    case ElementType::float64:
      return prepare_for<double>(call, state);
    default:
      return prepare_for<std::int32_t>(call, state);
  }
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return workspace_of(problem, shape.tile, shape.elements_per_thread);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (shape.blocks > 2 * multiprocessors())
    return "blocks exceeds two per multiprocessor: all blocks must run at once";
  return refuse_shape(problem, shape.elements_per_thread);
}

// Uses as many blocks as the larger of the two steps can occupy.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t n = problem.extents.x;
  shape.elements_per_thread = n >= 2048 && problem.type != ElementType::float64 ? 8 : 4;
  const std::int64_t m = filled_up(n, shape.elements_per_thread),
                     regions = m / (side * shape.elements_per_thread),
                     most = std::max(regions * regions, 2 * m / shape.tile);
  shape.blocks = 1;
  for (const int blocks : {4, 16, 32, 64, 132, 264})
    if (blocks <= 2 * multiprocessors() && blocks <= most) shape.blocks = blocks;
}

}  // namespace persistent

// Two launches per tile of vertices (tiles.cuh): the first updates its row and column, the second the whole
// matrix.
namespace registers {

struct Shape {
  // A thread updates elements_per_thread x elements_per_thread elements.
  int tile = 64, elements_per_thread = 8;
};

template <typename T>
__global__ void __launch_bounds__(threads) fill_up(Paths<T> paths) {
  fill(paths);
}

template <typename T>
__global__ void __launch_bounds__(threads) copy_out(Paths<T> paths) {
  hand_out(paths);
}

template <int tile, typename T>
__global__ void __launch_bounds__(threads) ways(Paths<T> paths, int k) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const among = reinterpret_cast<T*>(shared_bytes);
  constexpr int square = tile * SharedTiles<tile>::step;
  close<tile>(paths, k, among, among + 2 * square);
  find_ways<tile>(paths, k, static_cast<int>(blockIdx.x), among, among + square);
}

template <int tile, int per, typename T>
__global__ void __launch_bounds__(threads, 2) relax(Paths<T> paths) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  constexpr int size = SharedRegion<per>::size;
  relax_region<tile, per>(paths, static_cast<int>(blockIdx.y) * size, static_cast<int>(blockIdx.x) * size,
                          reinterpret_cast<T*>(shared_bytes));
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Paths<T> paths = paths_of<T>(call, shape.tile, shape.elements_per_thread);
  const cudaStream_t stream = stream_of(call);
  fill_up<<<static_cast<unsigned>(paths.m), threads, 0, stream>>>(paths);
  with_shape<T>(shape.tile, shape.elements_per_thread, [&]<int tile, int per>() {
    const auto tiles = static_cast<unsigned>(2 * (paths.m / tile)),
               regions = static_cast<unsigned>(paths.m / SharedRegion<per>::size);
    for (int k = 0; k < paths.n; k += tile) {
      ways<tile><<<tiles, threads, SharedTiles<tile>::elements * sizeof(T), stream>>>(paths, k);
      relax<tile, per>
          <<<dim3(regions, regions), threads, SharedRegion<per>::elements * sizeof(T), stream>>>(paths);
    }
  });
  if (paths.matrix != paths.d) copy_out<<<static_cast<unsigned>(paths.n), threads, 0, stream>>>(paths);
}

template <typename T>
const char* prepare_for(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const char* problem = nullptr;
  with_shape<T>(shape.tile, shape.elements_per_thread, [&]<int tile, int per>() {
    problem = allow_shared_memory(reinterpret_cast<const void*>(ways<tile, T>),
                                  SharedTiles<tile>::elements * static_cast<int>(sizeof(T)));
  });
  return problem ? problem
                 : allocate(workspace_of(call.problem, shape.tile, shape.elements_per_thread), state);
}

const char* prepare(const Call& call, void** state) {
  switch (call.problem.type) {
    case ElementType::float32:
      return prepare_for<float>(call, state);
    case ElementType::float64:
      return prepare_for<double>(call, state);
    default:
      return prepare_for<std::int32_t>(call, state);
  }
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return workspace_of(problem, shape.tile, shape.elements_per_thread);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return refuse_shape(problem, shape.elements_per_thread);
}

// Uses large squares per thread only if there are enough of them for the 132 multiprocessors of an H200.
void adapt(const Problem& problem, Shape& shape) {
  shape.elements_per_thread = problem.extents.x >= 2048 && problem.type != ElementType::float64 ? 8 : 4;
}

}  // namespace registers

// The straightforward implementation: one launch per intermediate vertex, one pair of vertices per thread.
// Launch k does not change row k and column k, because d[k][k] is 0.
namespace sweeps {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void sweep(std::int64_t n, std::int64_t k, T* d) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n || i == k) return;
  const T over = d[i * n + k] + d[k * n + j];
  if (over < d[i * n + j] && j != k) d[i * n + j] = over;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const dim3 grid(blocks_for(n, block), static_cast<unsigned>(n));
  T* d = call.array<T>(1);
  cudaMemcpyAsync(d, call.array<const T>(0), static_cast<std::size_t>(n * n) * sizeof(T),
                  cudaMemcpyDeviceToDevice, stream_of(call));
  for (std::int64_t k = 0; k < n; ++k) sweep<<<grid, block, 0, stream_of(call)>>>(n, k, d);
}

const char* refuse(const Problem& problem, const Block&) {
  return problem.extents.y > 65535 ? "more than 65535 blocks along y, one per vertex" : nullptr;
}

}  // namespace sweeps

}  // namespace

std::vector<Variant> floyd_warshall_cuda() {
  return {
      {.name = "blocked",
       .description =
           "tiles in shared memory, one thread per pair of vertices, three launches per tile of vertices",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<blocked::Shape>({{"tile", &blocked::Shape::tile, blocked::Tiles::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(blocked::launch),
       .constraint = by_name<blocked::refuse>},
      {.name = "persistent",
       .description = "as registers, but in one launch with two grid barriers per tile of vertices",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<persistent::Shape>(
           {{"tile", &persistent::Shape::tile, TileSizes::list()},
            {"elements_per_thread", &persistent::Shape::elements_per_thread, Elements::list()},
            {"blocks", &persistent::Shape::blocks, {1, 4, 16, 32, 64, 132, 264}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(persistent::launch),
       .constraint = by_name<persistent::refuse>,
       .adapt = by_name<persistent::adapt>,
       .prepare = persistent::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<persistent::workspace>},
      {.name = "registers",
       .description =
           "two launches per tile of vertices: paths to and from them, then up to 8 x 8 pairs per thread "
           "in registers",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<registers::Shape>(
           {{"tile", &registers::Shape::tile, TileSizes::list()},
            {"elements_per_thread", &registers::Shape::elements_per_thread, Elements::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(registers::launch),
       .constraint = by_name<registers::refuse>,
       .adapt = by_name<registers::adapt>,
       .prepare = registers::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<registers::workspace>},
      {.name = "sweeps",
       .description = "the plain form: one launch per intermediate vertex, one thread per pair",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<sweeps::Block>({{"block_size", &sweeps::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(sweeps::launch),
       .constraint = by_name<sweeps::refuse>},
  };
}

}  // namespace sextant
