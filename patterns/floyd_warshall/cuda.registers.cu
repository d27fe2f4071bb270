// Two launches for a tile's vertices (tiles.cuh).
#include "suite/tunables.hpp"
#include "tiles.cuh"

namespace sextant {
namespace {

using namespace floyd_warshall;

struct Shape {
  int tile = 64, elements_per_thread = 8;  // a side of a thread's square
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

// Large regions where there are two for each of an H200's multiprocessors.
void adapt(const Problem& problem, Shape& shape) {
  shape.elements_per_thread = problem.extents.x >= 2048 && problem.type != ElementType::float64 ? 8 : 4;
}

}  // namespace

Variant floyd_warshall_cuda_registers() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "two launches for a tile's vertices: ways to and from them, then up to 8 x 8 pairs a thread in registers";
  variant.tunables =
      tunables<Shape>({{"tile", &Shape::tile, TileSizes::list()},
                       {"elements_per_thread", &Shape::elements_per_thread, Elements::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
