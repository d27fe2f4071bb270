#include <utility>

#include "fused.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// One kernel a step, from lattice to lattice: a thread reads what arrives at `width` neighbouring nodes of a
// row from one lattice, collides it in registers and writes it to the same nodes of the other. Walls are
// known from the links (cuda.cuh); where none is near, densities move in vectors. Every second step starts at
// the last plane: what the step before wrote last, and the second-level cache still holds, is read first.
//
// An update moves 240 bytes in double, 120 in float, and 2 for the links: at 4.3 TB/s 17 800 million updates
// a second, 35 200 in float.
namespace sextant {
namespace {

using namespace lbm_d3q15;

// One step from f to g; `downwards`: the blocks start at the last plane.
template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    step(Index nx, Index ny, Index nz, Rates<T> rates, bool downwards, const LinkMap map,
         const T* __restrict__ f, T* __restrict__ g) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  update<width>(nx, ny, nz, own_node<Index>(width, downwards), rates, map, f,
                [&](bool as_vector, const NodeBits<width>& bits, const auto& node, int k, Index i) {
                  store_nodes(as_vector, bits, node, k, g + k * nodes + i);
                });
}

struct Launch {
  int block_x = 128, block_y = 2;
  int width = 1;    // nodes of a thread
  int turning = 1;  // every second step from the last plane to the first
  int graph = 0;
};

using Widths = Choices<1, 2, 4>;

// The lattices that the first step reads and writes, such that the last step ends in f.
template <typename T>
std::pair<T*, T*> lattices(const Call& call) {
  T *f = call.array<T>(0), *g = static_cast<T*>(static_cast<const CudaState*>(call.state)->other);
  return steps_of(call.problem) % 2 == 0 ? std::pair(f, g) : std::pair(g, f);
}

template <typename T>
void launch_step(const Call& call, int odd, cudaStream_t stream) {
  const auto how = call.tuned<Launch>();
  const Extents& size = call.problem.extents;
  const LinkMap& map = static_cast<const CudaState*>(call.state)->map;
  const dim3 block(how.block_x, how.block_y);
  const bool downwards = odd && how.turning;
  auto [from, to] = lattices<T>(call);
  if (odd) std::swap(from, to);
  Widths::with(how.width, [&, f = static_cast<const T*>(from), g = to]<int width>() {
    if constexpr (width * sizeof(T) <= 16)
      with_node_index(size, [&]<typename Index>() {
        step<width><<<grid_for(size, block, width), block, 0, stream>>>(
            static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
            rates_of<T>(call.problem), downwards, map, f, g);
      });
  });
}

template <typename T>
void launch(const Call& call) {
  const auto [from, to] = lattices<T>(call);
  if (from != call.array<T>(0))
    cudaMemcpyAsync(from, to, static_cast<std::size_t>(directions * call.problem.extents.count()) * sizeof(T),
                    cudaMemcpyDeviceToDevice, stream_of(call));
  run_steps(call, launch_step<T>);
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  return prepare_steps<T, true>(call, call.tuned<Launch>().graph, launch_step<T>, state);
}

const char* constraint(const Problem& problem, const Launch& how) {
  if (const char* reason = refuse_width(problem, how.width)) return reason;
  return refuse_lattice_block(problem.extents, how.block_x, how.block_y, 1);
}

// What won on an H200: where the lattices fit into its second-level cache, and launches matter, small blocks
// in a graph; else two nodes a thread, and whole rows.
void adapt(const Problem& problem, Launch& how) {
  const std::int64_t bytes =
      2 * directions * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  const bool small = bytes < (std::int64_t{48} << 20);
  how.width = !small && problem.extents.x % 2 == 0 ? 2 : 1;
  const int most = small ? 32 : 256 / how.width;
  how.block_x = threads_along_row(problem.extents.x / how.width, most);
  how.block_y = (small ? 128 : most) / how.block_x;
  how.graph = small;
}

}  // namespace

Variant lbm_d3q15_cuda_fused() {
  Variant variant;
  variant.description = "one kernel a step from lattice to lattice, walls from packed flags";
  variant.home = Home::cuda;
  variant.tunables = tunables<Launch>({{"block_x", &Launch::block_x, {32, 64, 128, 256}},
                                       {"block_y", &Launch::block_y, {1, 2, 4, 8}},
                                       {"width", &Launch::width, Widths::list()},
                                       {"turning", &Launch::turning, {0, 1}},
                                       {"graph", &Launch::graph, {0, 1}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.workspace = workspace_cuda<true>;
  variant.prepare = prepare_either<prepare<float>, prepare<double>>;
  variant.release = release_cuda;
  return variant;
}

}  // namespace sextant
