#include "cuda.cuh"
#include "suite/tunables.hpp"

// The talk's form: two kernels a step, a thread a node. The first moves the densities from f to g, the second
// collides g into f; both read the flags of the node, the first those of its neighbours, too.
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

struct Block {
  int block_x = 32, block_y = 16, block_z = 1;
};

template <typename T>
void launch(const Call& call) {
  const Extents& size = call.problem.extents;
  const auto [block_x, block_y, block_z] = call.tuned<Block>();
  const dim3 block(block_x, block_y, block_z), grid = grid_for(size, block);
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

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_lattice_block(problem.extents, block.block_x, block.block_y, block.block_z);
}

}  // namespace

Variant lbm_d3q15_cuda_two_kernels() {
  Variant variant;
  variant.description = "the talk's form: propagate and collide as two kernels, one node a thread";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_x", &Block::block_x, {16, 32, 64, 128}},
                                      {"block_y", &Block::block_y, {1, 2, 4, 8, 16}},
                                      {"block_z", &Block::block_z, {1, 2, 4}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.workspace = workspace_cuda<true>;
  variant.prepare = prepare_either<prepare_cuda<float, true>, prepare_cuda<double, true>>;
  variant.release = release_cuda;
  return variant;
}

}  // namespace sextant
