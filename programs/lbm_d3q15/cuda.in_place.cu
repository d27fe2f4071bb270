#include "cuda.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// A single lattice is updated by two alternating kinds of step (Bailey, Myre, Walsh, Lilja and Saar,
// "Accelerating lattice Boltzmann fluid flow simulations using graphics processors", 2009). An exchanging
// step reads each arriving density at the neighbour that it comes from. It writes the density that leaves
// along k to the position from which the density of the opposite direction was read. After that, all arriving
// densities are at the node itself, each at the position of its opposite. A local step reads them there and
// writes them back in order. Within a step no two nodes access the same position. After an odd number of
// steps, a third kernel swaps the two densities between each pair of neighbours.
//
// A thread updates `nodes_per_thread` neighbouring nodes of a row. Their densities stay in registers between
// reading and writing.
namespace sextant {
namespace {

using namespace lbm_d3q15;

// Hides from the compiler where a value comes from, so that it recomputes values that depend on it. Otherwise
// the addresses of a node's 15 densities, for reading and for writing, would occupy up to 30 registers.
__device__ __forceinline__ void forget(std::int32_t& value) { asm volatile("" : "+r"(value)); }
__device__ __forceinline__ void forget(std::int64_t& value) { asm volatile("" : "+l"(value)); }

template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    local_step(Index nx, Index ny, Index nz, Rates<T> rates, bool downwards, const LinkMap map, T* f) {
  const auto [x, y, z] = own_node<Index>(width, downwards);
  if (x >= nx || y >= ny || z >= nz) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  Index i = (z * ny + y) * nx + x;
  const NodeBits<width> bits = map.template at<width>(i);
  if (bits.all_solid()) return;
  T node[width][directions];
#pragma unroll
  for (int k = 0; k < directions; ++k) {
    const Vector<T, width> values = load<width>(f + opposite(k) * nodes + i);
#pragma unroll
    for (int j = 0; j < width; ++j) node[j][k] = values[j];
  }
#pragma unroll
  for (int j = 0; j < width; ++j) collide(node[j], rates);
  forget(i);
#pragma unroll
  for (int k = 0; k < directions; ++k) {
    Vector<T, width> values;
#pragma unroll
    for (int j = 0; j < width; ++j) values[j] = node[j][k];
    if (!bits.any(solid_node))
      *reinterpret_cast<Vector<T, width>*>(f + k * nodes + i) = values;
    else
#pragma unroll
      for (int j = 0; j < width; ++j)
        if (!(bits[j] & solid_node)) f[k * nodes + i + j] = values[j];
  }
}

// The nodes of a thread: `width` neighbours in a row, the first at (x, y, z).
template <int width, typename Index>
struct Row {
  Neighbours<Index> to;  // offsets from the first node to its neighbours
  // Offset from the last node to the one after it along x.
  Index after_last;

  __device__ __forceinline__ Row(Index nx, Index ny, Index nz, Index x, Index y, Index z)
      : to(neighbours_of(nx, ny, nz, x, y, z)), after_last(x + width == nx ? 1 - nx : Index{1}) {}

  // Calls visit<length>(j, way) for the densities of direction k that arrive at the thread's nodes. Those for
  // nodes j … j + length - 1 are contiguous, from offset `way` relative to the thread's first node. No node
  // may be next to a wall. Densities that move along x come from nodes shifted by one, some of which belong
  // to other threads.
  template <typename Visit>
  __device__ __forceinline__ void visit(int k, Visit visit) const {
    const int along_x = along(k, 0);
    const Index line = source(to, k) - (along_x == 0 ? 0 : along_x > 0 ? to.before[0] : to.after[0]);
    if (along_x == 0) return visit.template operator()<width>(0, line);
#pragma unroll
    for (int j = 0; j < width; ++j) {
      const Index column =
          along_x > 0 ? (j == 0 ? to.before[0] : j - 1) : (j == width - 1 ? j + after_last : j + 1);
      visit.template operator()<1>(j, line + column);
    }
  }
};

// Exchanging step: reads and writes densities at the neighbours. No node may be solid or next to a wall.
template <int width, typename Index, typename T>
__device__ __forceinline__ void exchange_row(Index nx, Index ny, Index nz, Node<Index> at, std::int64_t nodes,
                                             const Rates<T>& rates, T* f) {
  Index i = (at.z * ny + at.y) * nx + at.x;
  T node[width][directions];
  Row<width, Index> row(nx, ny, nz, at.x, at.y, at.z);
#pragma unroll
  for (int k = 0; k < directions; ++k)
    row.visit(k, [&]<int length>(int j, Index way) {
      const Vector<T, length> values = load<length>(f + k * nodes + (i + way));
#pragma unroll
      for (int n = 0; n < length; ++n) node[j + n][k] = values[n];
    });
#pragma unroll
  for (int j = 0; j < width; ++j) collide(node[j], rates);
  forget(at.x), forget(at.y), forget(at.z), forget(nx), forget(nodes);
  i = (at.z * ny + at.y) * nx + at.x;
  row = Row<width, Index>(nx, ny, nz, at.x, at.y, at.z);
#pragma unroll
  for (int k = 0; k < directions; ++k)
    row.visit(opposite(k), [&]<int length>(int j, Index way) {
      Vector<T, length> values;
#pragma unroll
      for (int n = 0; n < length; ++n) values[n] = node[j + n][k];
      *reinterpret_cast<Vector<T, length>*>(f + opposite(k) * nodes + (i + way)) = values;
    });
}

// Exchanging step of node i, which must be fluid: reads and writes densities at its neighbours.
template <typename Index, typename T>
__device__ __forceinline__ void exchange_node(Index nx, Index ny, Index nz, const Node<Index>& at, Index i,
                                              Links bits, std::int64_t nodes, const Rates<T>& rates, T* f) {
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, at.x, at.y, at.z);
  T node[directions];
#pragma unroll
  for (int k = 0; k < directions; ++k) node[k] = f[arrival(nodes, i, to, bits, k)];
  collide(node, rates);
#pragma unroll
  for (int k = 0; k < directions; ++k) f[arrival(nodes, i, to, bits, opposite(k))] = node[k];
}

template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    exchanging_step(Index nx, Index ny, Index nz, Rates<T> rates, const LinkMap map, T* f) {
  const Node<Index> at = own_node<Index>(width);
  if (at.x >= nx || at.y >= ny || at.z >= nz) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  const Index i = (at.z * ny + at.y) * nx + at.x;
  const NodeBits<width> bits = map.template at<width>(i);
  if (bits.all_solid()) return;
  if (width > 1 && !bits.any()) return exchange_row<width>(nx, ny, nz, at, nodes, rates, f);
#pragma unroll
  for (int j = 0; j < width; ++j) {
    if (bits[j] & solid_node) continue;
    const Node<Index> one = {static_cast<Index>(at.x + j), at.y, at.z};
    exchange_node(nx, ny, nz, one, static_cast<Index>(i + j), bits[j], nodes, rates, f);
  }
}

// Swaps the two densities that move between two fluid neighbours, as needed after an odd step count.
template <typename Index, typename T>
__global__ void swap_links(Index nx, Index ny, Index nz, const LinkMap map, T* f) {
  const auto [x, y, z] = own_node<Index>();
  if (x >= nx || y >= ny || z >= nz) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  const Index i = (z * ny + y) * nx + x;
  const unsigned bits = map.at(i)[0];
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

struct Launch {
  int block_x = 128, block_y = 2;
  int graph = 0;
  int alternate_direction = 1;  // 1: local steps go from the last plane to the first
  int nodes_per_thread = 1;
};

using Widths = Choices<1, 2, 4>;

template <typename T>
void launch_step(const Call& call, int odd, cudaStream_t stream) {
  const auto how = call.tuned<Launch>();
  const Extents& size = call.problem.extents;
  const LinkMap& map = static_cast<const CudaState*>(call.state)->map;
  const dim3 block(how.block_x, how.block_y);
  const Rates<T> rates = rates_of<T>(call.problem);
  T* const f = call.array<T>(0);
  Widths::with(how.nodes_per_thread, [&]<int width>() {
    if constexpr (width * sizeof(T) <= 16)
      with_node_index(size, [&]<typename Index>() {
        const dim3 grid = grid_for(size, block, width);
        const auto nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                   nz = static_cast<Index>(size.z);
        if (odd)
          local_step<width>
              <<<grid, block, 0, stream>>>(nx, ny, nz, rates, how.alternate_direction != 0, map, f);
        else
          exchanging_step<width><<<grid, block, 0, stream>>>(nx, ny, nz, rates, map, f);
      });
  });
}

template <typename T>
void launch(const Call& call) {
  run_steps(call, launch_step<T>);
  if (steps_of(call.problem) % 2 == 0) return;
  const auto how = call.tuned<Launch>();
  const Extents& size = call.problem.extents;
  const dim3 block(how.block_x, how.block_y);
  with_node_index(size, [&]<typename Index>() {
    swap_links<<<grid_for(size, block), block, 0, stream_of(call)>>>(
        static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
        static_cast<const CudaState*>(call.state)->map, call.array<T>(0));
  });
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  return prepare_steps<T, false>(call, call.tuned<Launch>().graph, launch_step<T>, state);
}

const char* constraint(const Problem& problem, const Launch& how) {
  if (const char* reason = refuse_width(problem, how.nodes_per_thread)) return reason;
  return refuse_lattice_block(problem.extents, how.block_x, how.block_y, 1);
}

// Sets the defaults that were fastest on an H200: the widest vectors in float, single nodes in double.
void adapt(const Problem& problem, Launch& how) {
  const std::int64_t x = problem.extents.x;
  const bool small = problem.extents.count() < (std::int64_t{1} << 19);
  const bool single = !small && problem.type == ElementType::float32;
  how.nodes_per_thread = single && x % 4 == 0 ? 4 : single && x % 2 == 0 ? 2 : 1;
  const int most = (small ? 128 : 256) / how.nodes_per_thread;
  how.block_x = threads_along_row(x / how.nodes_per_thread, most);
  how.block_y = most / how.block_x;
  how.graph = small;
}

}  // namespace

std::vector<Variant> lbm_d3q15_cuda_in_place() {
  return {{.name = "in_place",
           .description =
               "one lattice, updated in place: every second step exchanges densities with neighbouring nodes",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Launch>({{"block_x", &Launch::block_x, {32, 64, 128, 256}},
                                         {"block_y", &Launch::block_y, {1, 2, 4, 8}},
                                         {"graph", &Launch::graph, {0, 1}},
                                         {"alternate_direction", &Launch::alternate_direction, {0, 1}},
                                         {"nodes_per_thread", &Launch::nodes_per_thread, Widths::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<constraint>,
           .adapt = by_name<adapt>,
           .prepare = prepare_either<prepare<float>, prepare<double>>,
           .prepare_depends_on = DependsOn::structure,
           .release = release_cuda,
           .workspace = workspace_cuda<false>}};
}

}  // namespace sextant
