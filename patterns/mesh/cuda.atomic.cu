// The form one writes first: an edge a thread, atomic additions in the second-level cache.
#include "on_gpu.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant mesh_cuda_atomic() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: edges to threads, atomic additions";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, BlockSizes::list()},
                                      {"items_per_thread", &Shape::items_per_thread, Items::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
