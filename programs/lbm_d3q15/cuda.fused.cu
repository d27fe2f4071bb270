#include "cuda.cuh"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// What arrives at `width` neighbouring nodes of a row, none of them beside a wall: a direction's densities
// lie in one aligned vector, or are those of one shifted by one, so that one more is read at an end.
template <int width, typename Index, typename T>
__device__ __forceinline__ void gather_row(Index nodes, Index i, const Neighbours<Index>& to,
                                           Index after_last, const T* f, T (*node)[directions]) {
#pragma unroll
  for (int k = 0; k < directions; ++k) {
    const int way = along(k, 0);
    const Index row = source(to, k) - (way == 0 ? 0 : way > 0 ? to.before[0] : to.after[0]);
    const T* const from = f + static_cast<std::int64_t>(k) * nodes + (i + row);
    const Vector<T, width> values = load<width>(from);
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (const int at = j - way; at >= 0 && at < width) node[j][k] = values[at];
    if (way > 0) node[0][k] = from[to.before[0]];
    if (way < 0) node[width - 1][k] = from[width - 1 + after_last];
  }
}

// One step from lattice to lattice; a thread has `width` nodes of a row. 240 bytes an update in double, 120
// in float, and 2 for the links: 17 800 million updates a second at 4.3 TB/s, 35 200 in float. `downwards`:
// the blocks start at the last plane, as every second step's do: what the step before wrote last, and the
// second-level cache still holds, is read first.
template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    step(Index nx, Index ny, Index nz, Rates<T> rates, bool downwards, const LinkMap map,
         const T* __restrict__ f, T* __restrict__ g) {
  const auto [x, y, z] = own_node<Index>(width, downwards);
  if (x >= nx || y >= ny) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  const Index i = (z * ny + y) * nx + x;
  const NodeBits<width> bits = map.template at<width>(i);
  if (bits.all_solid()) return;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
  T node[width][directions];
  if (width > 1 && !bits.any()) {
    gather_row<width>(static_cast<Index>(nodes), i, to, x + width == nx ? 1 - nx : Index{1}, f, node);
  } else {
#pragma unroll
    for (int j = 0; j < width; ++j) {
      const Neighbours<Index> at = j == 0 ? to : neighbours_of(nx, ny, nz, static_cast<Index>(x + j), y, z);
#pragma unroll
      for (int k = 0; k < directions; ++k)
        if (!(bits[j] & solid_node))
          node[j][k] = f[arrival(nodes, static_cast<Index>(i + j), at, bits[j], k)];
    }
  }
#pragma unroll
  for (int j = 0; j < width; ++j) collide(node[j], rates);
#pragma unroll
  for (int k = 0; k < directions; ++k) {
    T* const out = g + k * nodes + i;
    if (width > 1 && !bits.any()) {
      Vector<T, width> values;
#pragma unroll
      for (int j = 0; j < width; ++j) values[j] = node[j][k];
      *reinterpret_cast<Vector<T, width>*>(out) = values;
    } else {
#pragma unroll
      for (int j = 0; j < width; ++j)
        if (!(bits[j] & solid_node)) out[j] = node[j][k];
    }
  }
}

using Widths = Choices<1, 2, 4>;
enum Tuning : int { block_x, block_y, width_at, turning_at, graph_at };

// from and to: the lattices of the first step; odd = 1: the second step's.
template <typename T>
void launch_step(const Call& call, T* from, T* to, int odd, cudaStream_t stream) {
  const Extents& size = call.problem.extents;
  const LinkMap& map = static_cast<const CudaState*>(call.state)->map;
  const dim3 block(call.tuning[block_x], call.tuning[block_y]);
  const bool downwards = odd && call.tuning[turning_at];
  if (odd) std::swap(from, to);
  Widths::with(call.tuning[width_at], [&]<int width>() {
    if constexpr (width * sizeof(T) <= 16)
      with_node_index(size, [&]<typename Index>() {
        step<width><<<grid_for(size, block, width), block, 0, stream>>>(
            static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
            rates_of<T>(call.problem), downwards, map, static_cast<const T*>(from), to);
      });
  });
}

// The lattices in the order in which an odd number of steps, too, ends in f.
template <typename T>
std::pair<T*, T*> lattices(const Call& call) {
  T *f = call.array<T>(0), *g = static_cast<T*>(static_cast<const CudaState*>(call.state)->other);
  return steps_of(call.problem) % 2 == 0 ? std::pair(f, g) : std::pair(g, f);
}

template <typename T>
void launch(const Call& call) {
  const auto [from, to] = lattices<T>(call);
  if (from != call.array<T>(0))
    cudaMemcpyAsync(from, to, static_cast<std::size_t>(directions * call.problem.extents.count()) * sizeof(T),
                    cudaMemcpyDeviceToDevice, stream_of(call));
  run_steps(call, [&](int odd, cudaStream_t stream) { launch_step<T>(call, from, to, odd, stream); });
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  if (const char* reason = prepare_cuda<T>(call, true, state)) return reason;
  if (!call.tuning[graph_at]) return nullptr;
  Call prepared = call;
  prepared.state = *state;
  const auto [from, to] = lattices<T>(prepared);
  capture_steps(prepared, static_cast<CudaState*>(*state),
                [&](int odd, cudaStream_t stream) { launch_step<T>(prepared, from, to, odd, stream); });
  return nullptr;
}

}  // namespace

Variant lbm_d3q15_cuda_fused() {
  Variant variant;
  variant.description = "one kernel a step from lattice to lattice, walls from packed flags";
  variant.home = Home::cuda;
  variant.tunables = {{"block_x", {32, 64, 128, 256}, 128},
                      {"block_y", {1, 2, 4, 8}, 2},
                      {"width", Widths::list(), 1},
                      {"turning", {0, 1}, 1},
                      {"graph", {0, 1}, 0}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) -> const char* {
    if (const char* reason = refuse_width(problem, tuning[width_at])) return reason;
    return refuse_lattice_block(problem.extents, tuning[block_x], tuning[block_y], 1);
  };
  // What won on an H200: in the second-level cache, where launches matter, small blocks in a graph; else
  // two nodes a thread, and whole rows.
  variant.adapt = [](const Problem& problem, int* tuning) {
    const std::int64_t bytes =
        2 * directions * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
    const bool small = bytes < (std::int64_t{48} << 20);
    const int width = !small && problem.extents.x % 2 == 0 ? 2 : 1;
    const int most = small ? 32 : 256 / width;
    tuning[block_x] = threads_along_row(problem.extents.x / width, most);
    tuning[block_y] = (small ? 128 : most) / tuning[block_x];
    tuning[width_at] = width;
    tuning[graph_at] = small;
  };
  variant.workspace = workspace_cuda<true>;
  variant.prepare = [](const Call& call, void** state) {
    return call.problem.type == ElementType::float32 ? prepare<float>(call, state)
                                                     : prepare<double>(call, state);
  };
  variant.release = release_cuda;
  return variant;
}

}  // namespace sextant
