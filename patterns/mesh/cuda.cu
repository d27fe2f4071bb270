#include "on_gpu.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Shape {
  int block_size = 256;
};

// The straightforward implementation: one thread per edge, with atomic additions in the L2 cache.
namespace atomic {

using Items = Choices<1, 2, 4>;

struct Shape {
  int block_size = 256, items_per_thread = 1;
};

template <int items, typename T>
__global__ void add_up(std::int64_t edges, const std::int32_t* __restrict__ ends, const T* __restrict__ w,
                       const T* __restrict__ q, T* r) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x * items + threadIdx.x;
  Vector<std::int32_t, 2> ij[items];
  T f[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const std::int64_t e = first + k * static_cast<std::int64_t>(blockDim.x);
    ij[k] = e < edges ? load<2>(ends + 2 * e) : Vector<std::int32_t, 2>{0, 0};
    f[k] = e < edges ? w[e] : T(0);
  }
#pragma unroll
  for (int k = 0; k < items; ++k) f[k] *= q[ij[k][1]] - q[ij[k][0]];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (first + k * static_cast<std::int64_t>(blockDim.x) >= edges) return;
    atomicAdd(r + ij[k][0], f[k]);
    atomicAdd(r + ij[k][1], -f[k]);
  }
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto shape = call.tuned<Shape>();
  const std::int64_t edges = mesh::edges_of(call.problem);
  cudaMemsetAsync(a.r, 0, static_cast<std::size_t>(mesh::vertices_of(call.problem)) * sizeof(T),
                  stream_of(call));
  Items::with(shape.items_per_thread, [&]<int items>() {
    add_up<items>
        <<<blocks_for(edges, std::int64_t{shape.block_size} * items), shape.block_size, 0, stream_of(call)>>>(
            edges, a.ends, a.w, a.q, a.r);
  });
}

}  // namespace atomic

// One launch per colour of an edge colouring. No two edges of a colour share a vertex, so no atomics are
// needed.
namespace coloured {

template <typename T>
__global__ void add_colour(std::int64_t begin, std::int64_t end, const std::int32_t* __restrict__ order,
                           const std::int32_t* __restrict__ ends, const T* __restrict__ w,
                           const T* __restrict__ q, T* r) {
  const std::int64_t at = begin + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= end) return;
  const std::int64_t e = order[at];
  const Vector<std::int32_t, 2> ij = load<2>(ends + 2 * e);
  const T f = w[e] * (q[ij[1]] - q[ij[0]]);
  r[ij[0]] += f;
  r[ij[1]] -= f;
}

struct State {
  mesh::Block order;
  std::vector<std::int32_t> begin;
};

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& state = *static_cast<const State*>(call.state);
  const int block = call.tuned<Shape>().block_size;
  cudaMemsetAsync(a.r, 0, static_cast<std::size_t>(mesh::vertices_of(call.problem)) * sizeof(T),
                  stream_of(call));
  for (std::size_t c = 0; c + 1 < state.begin.size(); ++c)
    add_colour<<<blocks_for(state.begin[c + 1] - state.begin[c], block), block, 0, stream_of(call)>>>(
        state.begin[c], state.begin[c + 1], state.order.as<std::int32_t>(), a.ends, a.w, a.q, a.r);
}

const char* prepare(const Call& call, void** state) {
  const auto ends = mesh::ends_from_gpu(call);
  if (ends.empty()) return mesh::no_ends;
  mesh::Colours colours =
      mesh::colour(mesh::vertices_of(call.problem), mesh::edges_of(call.problem), ends.data());
  auto* mine = new State;
  mine->begin = std::move(colours.begin);
  if (mine->order.copy(colours.order)) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  return "no device memory for the edges sorted by colour";
}

}  // namespace coloured

// One thread per vertex adds up the flows of all edges at its vertex. Every edge is computed twice, but no
// addition is atomic.
namespace gather {

template <typename T>
__global__ void gather(std::int64_t vertices, const std::int32_t* __restrict__ row,
                       const Vector<std::int32_t, 2>* __restrict__ links, const T* __restrict__ w,
                       const T* __restrict__ q, T* __restrict__ r) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  const int end = row[v + 1];
  const T mine = q[v];
  T sum = 0;
#pragma unroll 4
  for (int at = row[v]; at < end; ++at) {
    const Vector<std::int32_t, 2> link = links[at];
    sum += w[link[0]] * (q[link[1]] - mine);
  }
  r[v] = sum;
}

struct State {
  mesh::Block row, links;
};

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t vertices = mesh::vertices_of(call.problem);
  const int block = call.tuned<Shape>().block_size;
  gather<<<blocks_for(vertices, block), block, 0, stream_of(call)>>>(
      vertices, state.row.as<std::int32_t>(), state.links.as<Vector<std::int32_t, 2>>(), a.w, a.q, a.r);
}

const char* prepare(const Call& call, void** state) {
  const auto ends = mesh::ends_from_gpu(call);
  if (ends.empty()) return mesh::no_ends;
  const mesh::Incidence lists =
      mesh::incidence_of(mesh::vertices_of(call.problem), mesh::edges_of(call.problem), ends.data());
  auto* mine = new State;
  if (mine->row.copy(lists.row) && mine->links.copy(lists.links)) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  return "no device memory for the vertices' edge lists";
}

}  // namespace gather

}  // namespace

std::vector<Variant> mesh_cuda() {
  return {
      {.name = "atomic",
       .description = "the plain form: one edge per thread, atomic additions",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<atomic::Shape>(
           {{"block_size", &atomic::Shape::block_size, BlockSizes::list()},
            {"items_per_thread", &atomic::Shape::items_per_thread, atomic::Items::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(atomic::launch)},
      {.name = "coloured",
       .description =
           "one launch per edge colour, found beforehand; edges of a colour share no vertex, so no "
           "atomics",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(coloured::launch),
       .prepare = coloured::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { delete static_cast<coloured::State*>(state); },
       .workspace = [](const Problem& problem, const int*) { return 4 * mesh::edges_of(problem); }},
      {.name = "gather",
       .description =
           "one vertex per thread, which sums its own edges from lists made beforehand; no atomics",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(gather::launch),
       .prepare = gather::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { delete static_cast<gather::State*>(state); },
       .workspace =
           [](const Problem& problem, const int*) {
             return 16 * mesh::edges_of(problem) + 4 * (mesh::vertices_of(problem) + 1);
           }},
  };
}

}  // namespace sextant
