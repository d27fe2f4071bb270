#include "cuda.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

template <typename T>
__global__ void __launch_bounds__(most_threads)
    propagate(Extents size, const T* __restrict__ flags, const T* __restrict__ f, T* __restrict__ g) {
  const auto [x, y, z] = own_node<std::int64_t>();
  if (x >= size.x || y >= size.y || z >= size.z) return;
  const std::int64_t nodes = size.x * size.y * size.z, i = (z * size.y + y) * size.x + x;
  if (flags[i] != 0) return;
  const Neighbours<std::int64_t> to = neighbours_of(size.x, size.y, size.z, x, y, z);
#pragma unroll
  for (int k = 0; k < directions; ++k) {
    const std::int64_t from = i + source(to, k);
    g[k * nodes + i] = flags[from] != 0 ? f[opposite(k) * nodes + i] : f[k * nodes + from];
  }
}

template <typename T>
__global__ void __launch_bounds__(most_threads)
    collide_nodes(Extents size, Rates<T> rates, const T* __restrict__ flags, const T* __restrict__ g,
                  T* __restrict__ f) {
  const auto [x, y, z] = own_node<std::int64_t>();
  if (x >= size.x || y >= size.y || z >= size.z) return;
  const std::int64_t nodes = size.x * size.y * size.z, i = (z * size.y + y) * size.x + x;
  if (flags[i] != 0) return;
  T node[directions];
#pragma unroll
  for (int k = 0; k < directions; ++k) node[k] = g[k * nodes + i];
  collide(node, rates);
#pragma unroll
  for (int k = 0; k < directions; ++k) f[k * nodes + i] = node[k];
}

template <typename T>
void launch(const Call& call) {
  const Extents& size = call.problem.extents;
  const dim3 block(call.tuning[0], call.tuning[1], call.tuning[2]), grid = grid_for(size, block);
  T *f = call.array<T>(0), *g = static_cast<T*>(static_cast<const CudaState*>(call.state)->other);
  const T* flags = call.array<const T>(1);
  const Rates<T> rates = rates_of<T>(call.problem);
  for (std::int64_t step = 0; step < steps_of(call.problem); ++step) {
    call.phase("propagate");
    propagate<<<grid, block, 0, stream_of(call)>>>(size, flags, f, g);
    call.phase("collide");
    collide_nodes<<<grid, block, 0, stream_of(call)>>>(size, rates, flags, g, f);
  }
  call.phase("");
}

}  // namespace

Variant lbm_d3q15_cuda_two_kernels() {
  Variant variant;
  variant.description = "the talk's form: propagate and collide as two kernels, one node a thread";
  variant.home = Home::cuda;
  variant.tunables = {
      {"block_x", {16, 32, 64, 128}, 32}, {"block_y", {1, 2, 4, 8, 16}, 16}, {"block_z", {1, 2, 4}, 1}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_lattice_block(problem.extents, tuning[0], tuning[1], tuning[2]);
  };
  variant.workspace = workspace_cuda<true>;
  variant.prepare = [](const Call& call, void** state) {
    return call.problem.type == ElementType::float32 ? prepare_cuda<float>(call, true, state)
                                                     : prepare_cuda<double>(call, true, state);
  };
  variant.release = release_cuda;
  return variant;
}

}  // namespace sextant
