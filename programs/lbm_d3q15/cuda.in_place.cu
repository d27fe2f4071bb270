#include "cuda.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// The two kinds of step alternate. After an exchanging one, what leaves a node along k lies where its
// opposite arrived from, at the neighbour; a local one finds it there, at its own node, and puts all back in
// order. No two nodes share a place within a step, so one lattice is enough (Bailey, Myre, Walsh, Lilja and
// Saar, "Accelerating lattice Boltzmann fluid flow simulations using graphics processors", 2009).
template <bool local, typename Index, typename T>
__global__ void __launch_bounds__(most_threads) step(Index nx, Index ny, Index nz, Rates<T> rates,
                                                     bool downwards, const Links* __restrict__ links, T* f) {
  const auto [x, y, z] = own_node<Index>(1, downwards);
  if (x >= nx || y >= ny || z >= nz) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  const Index i = (z * ny + y) * nx + x;
  const unsigned bits = links[i];
  if (bits & solid_node) return;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
  T node[directions];
#pragma unroll
  for (int k = 0; k < directions; ++k)
    node[k] = f[local ? opposite(k) * nodes + i : arrival(nodes, i, to, bits, k)];
  collide(node, rates);
#pragma unroll
  for (int k = 0; k < directions; ++k)
    f[local ? k * nodes + i : arrival(nodes, i, to, bits, opposite(k))] = node[k];
}

// After an odd number of steps: swaps the two densities of every link between fluid nodes.
template <typename Index, typename T>
__global__ void swap_links(Index nx, Index ny, Index nz, const Links* __restrict__ links, T* f) {
  const auto [x, y, z] = own_node<Index>();
  if (x >= nx || y >= ny || z >= nz) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  const Index i = (z * ny + y) * nx + x;
  const unsigned bits = links[i];
  if (bits & solid_node) return;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
#pragma unroll
  for (int k = 1; k < directions; k += 2) {
    if ((bits >> k) & 1) continue;
    T *const there = f + k * nodes + (i + source(to, k)), *const here = f + opposite(k) * nodes + i;
    const T kept = *there;
    *there = *here;
    *here = kept;
  }
}

enum Tuning : int { block_x, block_y, graph_at, turning_at };

template <typename T>
void launch_step(const Call& call, int odd, cudaStream_t stream) {
  const Extents& size = call.problem.extents;
  const Links* const links = static_cast<const CudaState*>(call.state)->links;
  const dim3 block(call.tuning[block_x], call.tuning[block_y]), grid = grid_for(size, block);
  with_node_index(size, [&]<typename Index>() {
    const auto nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
               nz = static_cast<Index>(size.z);
    const Rates<T> rates = rates_of<T>(call.problem);
    const bool downwards = call.tuning[turning_at] != 0;
    if (odd)
      step<true><<<grid, block, 0, stream>>>(nx, ny, nz, rates, downwards, links, call.array<T>(0));
    else
      step<false><<<grid, block, 0, stream>>>(nx, ny, nz, rates, false, links, call.array<T>(0));
  });
}

template <typename T>
void launch(const Call& call) {
  run_steps(call, [&](int odd, cudaStream_t stream) { launch_step<T>(call, odd, stream); });
  if (steps_of(call.problem) % 2 == 0) return;
  const Extents& size = call.problem.extents;
  const dim3 block(call.tuning[block_x], call.tuning[block_y]);
  with_node_index(size, [&]<typename Index>() {
    swap_links<<<grid_for(size, block), block, 0, stream_of(call)>>>(
        static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
        static_cast<const CudaState*>(call.state)->links, call.array<T>(0));
  });
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  if (const char* reason = prepare_cuda<T>(call, false, state)) return reason;
  if (!call.tuning[graph_at]) return nullptr;
  Call prepared = call;
  prepared.state = *state;
  capture_steps(prepared, static_cast<CudaState*>(*state),
                [&](int odd, cudaStream_t stream) { launch_step<T>(prepared, odd, stream); });
  return nullptr;
}

}  // namespace

Variant lbm_d3q15_cuda_in_place() {
  Variant variant;
  variant.description = "one lattice in memory: every second step exchanges with the neighbours";
  variant.home = Home::cuda;
  variant.tunables = {{"block_x", {32, 64, 128, 256}, 128},
                      {"block_y", {1, 2, 4, 8}, 2},
                      {"graph", {0, 1}, 0},
                      {"turning", {0, 1}, 1}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_lattice_block(problem.extents, tuning[block_x], tuning[block_y], 1);
  };
  // What won on an H200.
  variant.adapt = [](const Problem& problem, int* tuning) {
    const bool small = problem.extents.count() < (std::int64_t{1} << 19);
    const int widest = !small && problem.type == ElementType::float32 ? 256 : 128;
    tuning[block_x] = problem.extents.x <= 32 ? 32 : problem.extents.x <= 64 ? 64 : widest;
    tuning[block_y] = widest / tuning[block_x];
    tuning[graph_at] = small;
  };
  variant.workspace = workspace_cuda<false>;
  variant.prepare = [](const Call& call, void** state) {
    return call.problem.type == ElementType::float32 ? prepare<float>(call, state)
                                                     : prepare<double>(call, state);
  };
  variant.release = release_cuda;
  return variant;
}

}  // namespace sextant
