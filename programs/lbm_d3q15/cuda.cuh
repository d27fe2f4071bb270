// Components that the CUDA variants share. They are the state that `prepare` makes, a node's arriving
// densities, and the time loop with or without a CUDA graph.
#pragma once

#include "flags.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::lbm_d3q15 {

// Maximum threads per block. It leaves 128 registers per thread, which a collision may need.
inline constexpr int most_threads = 512;

// The links (bit masks of solid neighbours) of `width` neighbouring nodes in a row.
template <int width>
struct NodeBits {
  Vector<Links, width> links{};

  __device__ __forceinline__ unsigned operator[](int j) const { return links[j]; }
  // Returns true if one of `bits` is set at any node. By default: true if one of the nodes is solid or next
  // to a wall.
  __device__ __forceinline__ bool any(unsigned bits = 0xffff) const {
    unsigned found = 0;
#pragma unroll
    for (int j = 0; j < width; ++j) found |= links[j];
    return (found & bits) != 0;
  }
  __device__ __forceinline__ bool all_solid() const {
    unsigned found = solid_node;
#pragma unroll
    for (int j = 0; j < width; ++j) found &= links[j];
    return found != 0;
  }
};

// Number of nodes that a warp's 32 threads process. LinkMap::walls has one value for each of these runs of
// nodes.
inline constexpr int run_nodes = 32;

// The flags of solid nodes in the form that kernels read. `links` has a bit mask of solid neighbours per
// node. `walls` tells for each run of 32 nodes whether any is solid or next to a wall. If none is, the links
// need not be read. That saves 2 bytes per 120 bytes of float densities.
struct LinkMap {
  Links* links = nullptr;
  std::uint8_t* walls = nullptr;

  // Returns the links of `width` nodes, from node i on. i must be a multiple of width.
  template <int width = 1, typename Index>
  __device__ __forceinline__ NodeBits<width> at(Index i) const {
    if (!walls[i / run_nodes]) return {};
    return {load<width>(links + i)};
  }
};

struct CudaState {
  void* other = nullptr;  // a second lattice, or null
  LinkMap map;
  // A graph of `graph_steps` steps, recorded for the array f at address graph_f, or null.
  cudaGraphExec_t graph = nullptr;
  std::int64_t graph_steps = 0;
  const void* graph_f = nullptr;
};

// The first of the `width` nodes along x that a thread updates, computed from blockIdx and threadIdx. With
// `downwards`, the blocks go from the last plane to the first.
template <typename Index>
struct Node {
  Index x, y, z;
};

template <typename Index>
__device__ __forceinline__ Node<Index> own_node(int width = 1, bool downwards = false) {
  const unsigned block_z = downwards ? gridDim.z - 1 - blockIdx.z : blockIdx.z;
  const auto number = [](unsigned value) { return static_cast<Index>(value); };
  return {(number(blockIdx.x) * number(blockDim.x) + number(threadIdx.x)) * width,
          number(blockIdx.y) * number(blockDim.y) + number(threadIdx.y),
          number(block_z) * number(blockDim.z) + number(threadIdx.z)};
}

inline dim3 grid_for(const Extents& size, dim3 block, int width = 1) {
  return dim3(blocks_for(size.x, static_cast<std::int64_t>(block.x) * width), blocks_for(size.y, block.y),
              blocks_for(size.z, block.z));
}

// Returns null, or why a thread cannot process `width` neighbouring nodes of a row.
inline const char* refuse_width(const Problem& problem, int width) {
  if (width * element_size(problem.type) > 16) return "nodes_per_thread elements take more than 16 bytes";
  return problem.extents.x % width != 0 ? "nodes_per_thread does not divide the length of a row" : nullptr;
}

// Returns the threads of a block along a row if `wanted` threads are sufficient: a power of two from 32 to
// `most`, which must be a power of two as well.
inline int threads_along_row(std::int64_t wanted, int most) {
  int threads = 32;
  while (threads < most && threads < wanted) threads *= 2;
  return threads;
}

inline const char* refuse_lattice_block(const Extents& size, int x, int y, int z) {
  if (x * y * z > most_threads)
    return "more than 512 threads per block: a collision may need 128 registers per thread";
  return refuse_block(size, x, y, z);
}

// Returns the index of the density that arrives at a node from direction k. It is in the neighbouring node
// or, if that node is solid, in the node itself.
template <typename Stride, typename Index>
__device__ __forceinline__ Stride arrival(Stride nodes, Index i, const Neighbours<Index>& to, unsigned bits,
                                          int k) {
  const bool wall = (bits >> k) & 1;
  return (wall ? opposite(k) : k) * nodes + (wall ? i : i + source(to, k));
}

// ---- links

template <typename T>
__global__ void link_nodes(Problem problem, const T* flags, LinkMap map, unsigned long long* first_wrong) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const Extents& size = problem.extents;
  const bool there = i < size.x * size.y * size.z;
  Links links = 0;
  if (there) {
    const std::int64_t x = i % size.x, y = i / size.x % size.y, z = i / (size.x * size.y);
    if (!allowed(flags[i], on_open_boundary(problem, x, y, z)))
      atomicMin(first_wrong, static_cast<unsigned long long>(i));
    map.links[i] = links = links_of(flags, size.x, size.y, size.z, x, y, z);
  }
  const bool walls = __any_sync(0xffffffff, links != 0);
  if (there && i % run_nodes == 0) map.walls[i / run_nodes] = walls;
}

// Fills `map` from the flags of solid nodes, on the device. Returns null, or why the flags are invalid.
template <typename T>
const char* link_on_device(const Call& call, const LinkMap& map) {
  unsigned long long* first_wrong = nullptr;
  std::int64_t wrong = all_allowed;
  cudaError_t error = cudaMalloc(&first_wrong, sizeof *first_wrong);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(first_wrong, &wrong, sizeof wrong, cudaMemcpyHostToDevice, stream_of(call));
  if (error == cudaSuccess) {
    link_nodes<<<blocks_for(call.problem.extents.count(), 256), 256, 0, stream_of(call)>>>(
        call.problem, call.array<const T>(1), map, first_wrong);
    error = cudaStreamSynchronize(stream_of(call));
  }
  if (error == cudaSuccess) error = cudaMemcpy(&wrong, first_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
  cudaFree(first_wrong);
  return error != cudaSuccess ? cudaGetErrorString(error) : describe_flag(call.problem, wrong);
}

// ---- prepare and release

inline void release_map(const LinkMap& map) {
  cudaFree(map.links);
  cudaFree(map.walls);
}

inline void release_cuda(void* state) {
  auto* const device = static_cast<CudaState*>(state);
  if (device->graph) cudaGraphExecDestroy(device->graph);
  cudaFree(device->other);
  release_map(device->map);
  delete device;
}

template <typename T>
const char* allocate_cuda(const Call& call, bool second_lattice, CudaState* device) {
  const auto nodes = static_cast<std::size_t>(call.problem.extents.count());
  if (cudaMalloc(&device->map.links, nodes * sizeof(Links)) != cudaSuccess ||
      cudaMalloc(&device->map.walls, nodes / run_nodes + 1) != cudaSuccess ||
      (second_lattice && cudaMalloc(&device->other, directions * nodes * sizeof(T)) != cudaSuccess)) {
    cudaGetLastError();  // Clears the error, which the next call would report otherwise.
    return "device memory ran out";
  }
  return link_on_device<T>(call, device->map);
}

template <typename T, bool second_lattice>
const char* prepare_cuda(const Call& call, void** state) {
  auto* const device = new CudaState;
  const char* reason = allocate_cuda<T>(call, second_lattice, device);
  if (reason)
    release_cuda(device);
  else
    *state = device;
  return reason;
}

template <bool second_lattice>
std::int64_t workspace_cuda(const Problem& problem, const int*) {
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  const std::int64_t nodes = problem.extents.count();
  return nodes * ((second_lattice ? directions * size : 0) + static_cast<std::int64_t>(sizeof(Links))) +
         nodes / run_nodes + 1;
}

// ---- steps

// Launches one step of a call. `odd` is 1 for the second step of each pair.
using Step = void (*)(const Call& call, int odd, cudaStream_t stream);

// Records a CUDA graph of an even number of steps, at most a hundred. If that fails, the steps are launched
// one by one. The relaxed capture mode is needed because the first launch of a kernel loads it.
inline void capture_steps(const Call& call, Step step) {
  auto* const device = static_cast<CudaState*>(call.state);
  const std::int64_t steps = std::min<std::int64_t>(100, steps_of(call.problem) / 2 * 2);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  if (steps == 0 || cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
    for (std::int64_t t = 0; t < steps; ++t) step(call, static_cast<int>(t % 2), stream);
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
        cudaGraphInstantiate(&device->graph, graph, 0) == cudaSuccess) {
      device->graph_steps = steps;
      device->graph_f = call.address(0);
    }
    if (graph) cudaGraphDestroy(graph);
  }
  // Clears the error, which the next call would report otherwise; the variant then runs without a graph.
  if (!device->graph) cudaGetLastError();
  cudaStreamDestroy(stream);
}

template <typename T, bool second_lattice>
const char* prepare_steps(const Call& call, bool with_graph, Step step, void** state) {
  if (const char* reason = prepare_cuda<T, second_lattice>(call, state)) return reason;
  if (!with_graph) return nullptr;
  Call prepared = call;
  prepared.state = *state;
  capture_steps(prepared, step);
  return nullptr;
}

// Launches all steps: as graphs if one was recorded for this array f, the remaining steps one by one.
inline void run_steps(const Call& call, Step step) {
  const auto* const device = static_cast<const CudaState*>(call.state);
  std::int64_t left = steps_of(call.problem);
  if (device->graph && device->graph_f == call.address(0))
    for (; left >= device->graph_steps; left -= device->graph_steps)
      cudaGraphLaunch(device->graph, stream_of(call));
  for (std::int64_t t = 0; t < left; ++t) step(call, static_cast<int>(t % 2), stream_of(call));
}

// Calls function.template operator()<Index>() with the narrowest integer type that can index the nodes.
template <typename Function>
void with_node_index(const Extents& size, Function&& function) {
  if (size.count() < (std::int64_t{1} << 31))
    function.template operator()<int>();
  else
    function.template operator()<std::int64_t>();
}

}  // namespace sextant::lbm_d3q15
