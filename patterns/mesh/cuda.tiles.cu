// Each block processes one tile of vertices (tiles.hpp) and keeps its q and sums in shared memory. Edges are
// processed in rounds: no two edges of a round share a vertex, so additions need no atomics. An edge between
// two tiles is computed in both. Its ends are stored as 16-bit indices into the tile's vertex list.
#include "on_gpu.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tiles.hpp"

namespace sextant {
namespace {

using Blocks = Choices<128, 256, 512>;

struct Shape {
  int block_size = 256, tile = 1024;
};

struct Plan {
  int vertices_of_tile;
  const std::int32_t *vertices, *first_vertex, *edges, *first_round;
  const std::uint32_t* ends;
};

constexpr int some = 4;  // number of rounds whose edges are loaded together

// The edges that one thread processes in `some` successive rounds, at most one per round.
template <int block, typename T>
struct Rounds {
  std::uint32_t ends[some];
  T f[some];

  __device__ __forceinline__ void load(const Plan& plan, int first, int end, const T* __restrict__ w) {
    std::int32_t edges[some];
#pragma unroll
    for (int k = 0; k < some; ++k) {
      const std::int64_t at = static_cast<std::int64_t>(first + k) * block + threadIdx.x;
      edges[k] = first + k < end ? __ldcs(plan.edges + at) : 0;
      ends[k] = first + k < end ? __ldcs(plan.ends + at) : ~0u;
    }
#pragma unroll
    for (int k = 0; k < some; ++k) f[k] = ends[k] != ~0u ? __ldg(w + edges[k]) : T(0);
  }

  // Adds the flow of each edge to the sums at its two ends, unless another tile owns that vertex (index >=
  // `owned`). A thread without an edge has 0xFFFF as both ends.
  __device__ __forceinline__ void add(const T* q, T* sums, int owned) {
#pragma unroll
    for (int k = 0; k < some; ++k)
      if (ends[k] != ~0u) f[k] *= q[ends[k] >> 16] - q[ends[k] & 0xFFFF];
#pragma unroll
    for (int k = 0; k < some; ++k) {
      const int i = static_cast<int>(ends[k] & 0xFFFF), j = static_cast<int>(ends[k] >> 16);
      if (i < owned) sums[i] += f[k];
      if (j < owned) sums[j] -= f[k];
      __syncthreads();
    }
  }
};

template <int block, typename T>
__global__ void __launch_bounds__(block)
    add_up(Plan plan, const T* __restrict__ w, const T* __restrict__ q, T* __restrict__ r, int vertices) {
  extern __shared__ __align__(16) unsigned char memory[];
  T *sums = reinterpret_cast<T*>(memory), *values = sums + plan.vertices_of_tile;
  const int tile = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int begin = plan.first_vertex[tile], count = plan.first_vertex[tile + 1] - begin,
            owned = min(plan.vertices_of_tile, vertices - tile * plan.vertices_of_tile);
  const int end = plan.first_round[tile + 1];
  int round = plan.first_round[tile];
  Rounds<block, T> rounds;
  rounds.load(plan, round, end, w);
  for (int p = thread; p < count; p += block) {
    values[p] = __ldg(q + __ldcs(plan.vertices + begin + p));
    if (p < owned) sums[p] = 0;
  }
  __syncthreads();
  for (; round < end; round += some) {
    Rounds<block, T> next;
    next.load(plan, round + some, end, w);
    rounds.add(values, sums, owned);
    rounds = next;
  }
  for (int p = thread; p < owned; p += block) r[plan.vertices[begin + p]] = sums[p];
}

struct State {
  mesh::Block vertices, first_vertex, edges, first_round, ends;
  unsigned tiles = 0;
  std::size_t shared_places = 0;  // elements of shared memory for a tile's sums and q
};

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto shape = call.tuned<Shape>();
  const auto& state = *static_cast<const State*>(call.state);
  const Plan plan = {shape.tile,
                     state.vertices.as<std::int32_t>(),
                     state.first_vertex.as<std::int32_t>(),
                     state.edges.as<std::int32_t>(),
                     state.first_round.as<std::int32_t>(),
                     state.ends.as<std::uint32_t>()};
  const std::size_t bytes = state.shared_places * sizeof(T);
  Blocks::with(shape.block_size, [&]<int block>() {
    if (bytes > 48 * 1024)
      cudaFuncSetAttribute(add_up<block, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes));
    add_up<block><<<state.tiles, block, bytes, stream_of(call)>>>(
        plan, a.w, a.q, a.r, static_cast<int>(mesh::vertices_of(call.problem)));
  });
}

const char* refuse(const Problem&, const Shape& shape) {
  return shape.tile > 4 * shape.block_size ? "tile is more than 4 * block_size" : nullptr;
}

// Chooses smaller tiles and blocks for small meshes, so that there are enough blocks for an H200.
void adapt(const Problem& problem, Shape& shape) {
  if (mesh::vertices_of(problem) < 1 << 17) shape = {128, 256};
}

// Estimated size in bytes. Edges between tiles are stored twice, and some rounds are not full.
std::int64_t workspace(const Problem& problem, const Shape&) {
  return 12 * mesh::edges_of(problem) + 6 * mesh::vertices_of(problem) + 4096;
}

bool copy(const mesh::Tiles& tiles, State* state) {
  return state->vertices.copy(tiles.vertices) && state->first_vertex.copy(tiles.first_vertex) &&
         state->edges.copy(tiles.edges) && state->first_round.copy(tiles.first_round) &&
         state->ends.copy(tiles.ends);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const auto ends = mesh::ends_from_gpu(call);
  if (ends.empty()) return mesh::no_ends;
  const std::int64_t vertices = mesh::vertices_of(call.problem);
  const mesh::Tiles tiles =
      mesh::make_tiles(vertices, shape.tile, shape.block_size,
                       mesh::incidence_of(vertices, mesh::edges_of(call.problem), ends.data()));
  if (tiles.most_vertices >= static_cast<std::int32_t>(mesh::Tiles::nowhere))
    return "a tile has more vertices than 16-bit indices can address: choose a smaller tile";
  auto* mine = new State;
  mine->tiles = static_cast<unsigned>(tiles.first_vertex.size() - 1);
  mine->shared_places = static_cast<std::size_t>(shape.tile + tiles.most_vertices);
  if (copy(tiles, mine)) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  return "no device memory for the tiles";
}

}  // namespace

std::vector<Variant> mesh_cuda_tiles() {
  return {{.name = "tiles",
           .description =
               "one tile of vertices per block, sums in shared memory; edges in conflict-free rounds, "
               "no atomics",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                        {"tile", &Shape::tile, {256, 512, 1024, 2048}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .prepare_depends_on = DependsOn::structure,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
