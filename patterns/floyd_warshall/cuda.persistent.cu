// One launch, whose blocks wait for each other twice for a tile's vertices (tiles.cuh).
#include <cooperative_groups.h>

#include "suite/tunables.hpp"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using namespace floyd_warshall;

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
      __syncthreads();  // the next tile takes the same place
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
    return "more than two blocks a multiprocessor, which all have to run at once";
  return refuse_shape(problem, shape.elements_per_thread);
}

// As many blocks as either step has work for.
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

}  // namespace

Variant floyd_warshall_cuda_persistent() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch: tiles as in cuda.registers, two waits of all blocks for a tile's vertices";
  variant.tunables = tunables<Shape>({{"tile", &Shape::tile, TileSizes::list()},
                                      {"elements_per_thread", &Shape::elements_per_thread, Elements::list()},
                                      {"blocks", &Shape::blocks, {1, 4, 16, 32, 64, 132, 264}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
