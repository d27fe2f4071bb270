#include "cuda.cuh"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// Makes the compiler compute anew what follows from a value: the 15 places that a node's densities are read
// from and written to would else take up to 30 registers.
__device__ __forceinline__ void forget(std::int32_t& value) { asm volatile("" : "+r"(value)); }
__device__ __forceinline__ void forget(std::int64_t& value) { asm volatile("" : "+l"(value)); }

// The two kinds of step alternate. After an exchanging one, what leaves a node along k lies where its
// opposite arrived from, at the neighbour; a local one finds it there, at its own node, and puts all back in
// order. No two nodes share a place within a step, so one lattice is enough (Bailey, Myre, Walsh, Lilja and
// Saar, "Accelerating lattice Boltzmann fluid flow simulations using graphics processors", 2009).
//
// A thread has `width` neighbouring nodes of a row.
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

// The nodes of a thread, the first at (x, y, z).
template <int width, typename Index>
struct Row {
  Neighbours<Index> to;  // from the first
  Index after_last;      // from the last to the one after it along x

  __device__ __forceinline__ Row(Index nx, Index ny, Index nz, Index x, Index y, Index z)
      : to(neighbours_of(nx, ny, nz, x, y, z)), after_last(x + width == nx ? 1 - nx : Index{1}) {}

  // Calls visit<length>(j, way) for the runs of nodes j, j + 1, … whose arrivals from direction k lie in line
  // from `way` past the first node on, where none of them is beside a wall. Those from along x lie one aside,
  // partly at other threads' nodes.
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

template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    exchanging_step(Index nx, Index ny, Index nz, Rates<T> rates, const LinkMap map, T* f) {
  auto [x, y, z] = own_node<Index>(width);
  if (x >= nx || y >= ny || z >= nz) return;
  std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  Index i = (z * ny + y) * nx + x;
  const NodeBits<width> bits = map.template at<width>(i);
  if (bits.all_solid()) return;
  if (width > 1 && !bits.any()) {
    T node[width][directions];
    Row<width, Index> row(nx, ny, nz, x, y, z);
#pragma unroll
    for (int k = 0; k < directions; ++k)
      row.visit(k, [&]<int length>(int j, Index way) {
        const Vector<T, length> values = load<length>(f + k * nodes + (i + way));
#pragma unroll
        for (int n = 0; n < length; ++n) node[j + n][k] = values[n];
      });
#pragma unroll
    for (int j = 0; j < width; ++j) collide(node[j], rates);
    forget(x), forget(y), forget(z), forget(nx), forget(nodes);
    i = (z * ny + y) * nx + x;
    row = Row<width, Index>(nx, ny, nz, x, y, z);
#pragma unroll
    for (int k = 0; k < directions; ++k)
      row.visit(opposite(k), [&]<int length>(int j, Index way) {
        Vector<T, length> values;
#pragma unroll
        for (int n = 0; n < length; ++n) values[n] = node[j + n][k];
        *reinterpret_cast<Vector<T, length>*>(f + opposite(k) * nodes + (i + way)) = values;
      });
    return;
  }
#pragma unroll
  for (int j = 0; j < width; ++j) {
    if (bits[j] & solid_node) continue;
    const Index at = i + j;
    const Neighbours<Index> to = neighbours_of(nx, ny, nz, static_cast<Index>(x + j), y, z);
    T node[directions];
#pragma unroll
    for (int k = 0; k < directions; ++k) node[k] = f[arrival(nodes, at, to, bits[j], k)];
    collide(node, rates);
#pragma unroll
    for (int k = 0; k < directions; ++k) f[arrival(nodes, at, to, bits[j], opposite(k))] = node[k];
  }
}

// After an odd number of steps: swaps the two densities of every link between fluid nodes.
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

using Widths = Choices<1, 2, 4>;
enum Tuning : int { block_x, block_y, graph_at, turning_at, width_at };

template <typename T>
void launch_step(const Call& call, int odd, cudaStream_t stream) {
  const Extents& size = call.problem.extents;
  const LinkMap& map = static_cast<const CudaState*>(call.state)->map;
  const dim3 block(call.tuning[block_x], call.tuning[block_y]);
  const bool downwards = call.tuning[turning_at] != 0;
  const Rates<T> rates = rates_of<T>(call.problem);
  T* const f = call.array<T>(0);
  Widths::with(call.tuning[width_at], [&]<int width>() {
    if constexpr (width * sizeof(T) <= 16)
      with_node_index(size, [&]<typename Index>() {
        const dim3 grid = grid_for(size, block, width);
        const auto nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                   nz = static_cast<Index>(size.z);
        if (odd)
          local_step<width><<<grid, block, 0, stream>>>(nx, ny, nz, rates, downwards, map, f);
        else
          exchanging_step<width><<<grid, block, 0, stream>>>(nx, ny, nz, rates, map, f);
      });
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
        static_cast<const CudaState*>(call.state)->map, call.array<T>(0));
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
                      {"turning", {0, 1}, 1},
                      {"width", Widths::list(), 1}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) -> const char* {
    if (const char* reason = refuse_width(problem, tuning[width_at])) return reason;
    return refuse_lattice_block(problem.extents, tuning[block_x], tuning[block_y], 1);
  };
  // What won on an H200: in float the widest vectors, in double none.
  variant.adapt = [](const Problem& problem, int* tuning) {
    const std::int64_t x = problem.extents.x;
    const bool small = problem.extents.count() < (std::int64_t{1} << 19);
    const bool single = !small && problem.type == ElementType::float32;
    const int width = single && x % 4 == 0 ? 4 : single && x % 2 == 0 ? 2 : 1;
    const int most = (small ? 128 : 256) / width;
    tuning[block_x] = threads_along_row(x / width, most);
    tuning[block_y] = most / tuning[block_x];
    tuning[width_at] = width;
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
