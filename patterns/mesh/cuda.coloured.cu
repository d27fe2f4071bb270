// A launch a colour, within which no two edges meet.
#include "on_gpu.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Shape {
  int block_size = 256;
};

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
  return "no device memory for the edges by colours";
}

}  // namespace

Variant mesh_cuda_coloured() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a launch a colour, within which no two edges meet; colours are made in prepare";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) { return 4 * mesh::edges_of(problem); };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
