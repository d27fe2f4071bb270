// A vertex a thread, which adds up its own edges: every edge is computed twice, and nothing is atomic.
#include "on_gpu.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Shape {
  int block_size = 256;
};

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
  return "no device memory for the vertices' edges";
}

}  // namespace

Variant mesh_cuda_gather() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a vertex a thread, which adds up its own edges, listed in prepare";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) {
    return 16 * mesh::edges_of(problem) + 4 * (mesh::vertices_of(problem) + 1);
  };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
