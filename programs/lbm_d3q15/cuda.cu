#include <utility>

#include "cuda.cuh"
#include "fused.cuh"
#include "resident.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// One kernel per step updates the nodes from one lattice to the other. A thread reads the densities that
// arrive at `nodes_per_thread` neighbouring nodes of a row. It collides them in registers and writes them to
// the same nodes of the other lattice. The links (bit masks of solid neighbours) tell where walls are. If no
// wall is near, densities are moved in vectors. Every second step starts at the last plane, because the L2
// cache still holds the planes that the previous step wrote last.
//
// The update of a node moves 240 bytes in double and 120 in float, plus 2 bytes of links. At 4.3 TB/s that
// allows 17 800 million updates per second in double and 35 200 million in float.
namespace fused {

// Computes one step from f to g. With `downwards`, the blocks start at the last plane.
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
  int nodes_per_thread = 1;
  int alternate_direction = 1;  // 1: every second step goes from the last plane to the first.
  int graph = 0;
};

using Widths = Choices<1, 2, 4>;

// Returns the lattices that the first step reads and writes, chosen so that the last step writes f.
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
  const bool downwards = odd && how.alternate_direction;
  auto [from, to] = lattices<T>(call);
  if (odd) std::swap(from, to);
  Widths::with(how.nodes_per_thread, [&, f = static_cast<const T*>(from), g = to]<int width>() {
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
  lbm_d3q15::run_steps(call, launch_step<T>);
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  return prepare_steps<T, true>(call, call.tuned<Launch>().graph, launch_step<T>, state);
}

const char* constraint(const Problem& problem, const Launch& how) {
  if (const char* reason = refuse_width(problem, how.nodes_per_thread)) return reason;
  return refuse_lattice_block(problem.extents, how.block_x, how.block_y, 1);
}

// Sets the defaults that were fastest on an H200. If the lattices fit in its L2 cache, launch overhead
// matters, and small blocks in a graph are best. Otherwise two nodes per thread and blocks as wide as the
// rows are best.
void adapt(const Problem& problem, Launch& how) {
  const std::int64_t bytes =
      2 * directions * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  const bool small = bytes < (std::int64_t{48} << 20);
  how.nodes_per_thread = !small && problem.extents.x % 2 == 0 ? 2 : 1;
  const int most = small ? 32 : 256 / how.nodes_per_thread;
  how.block_x = threads_along_row(problem.extents.x / how.nodes_per_thread, most);
  how.block_y = (small ? 128 : most) / how.block_x;
  how.graph = small;
}

}  // namespace fused

namespace resident {

struct ResidentState {
  CudaState links;  // stored only to free its memory
  void* mail = nullptr;
  std::size_t mail_bytes = 0;
  WaitFlag waits;
};

void release(void* state) {
  auto* const resident = static_cast<ResidentState*>(state);
  cudaFree(resident->mail);
  release_map(resident->links.map);
  delete resident;
}

template <typename T, typename Function>
void with_kernel(const Boxes& boxes, Function&& function) {
  Choices<1, 2>::with(nodes_per_thread(boxes), [&]<int per_thread>() { function(run<per_thread, T>); });
}

dim3 dimensions(const Extents& e) {
  return dim3(static_cast<unsigned>(e.x), static_cast<unsigned>(e.y), static_cast<unsigned>(e.z));
}

int threads_for(const Boxes& boxes) {
  return static_cast<int>(std::min<std::int64_t>(box_threads, (boxes.sides.count() + 31) / 32 * 32));
}

// Returns null, or why the current device cannot hold all blocks at once.
template <typename T>
const char* refuse_device(const Boxes& boxes, std::size_t bytes) {
  int per_processor = 0;
  if (!device_attribute(cudaDevAttrCooperativeLaunch, 0))
    return "the GPU does not support cooperative launches";
  cudaError_t error = cudaSuccess;
  with_kernel<T>(boxes, [&](auto* kernel) {
    error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error == cudaSuccess)
      error =
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads_for(boxes), bytes);
  });
  if (error == cudaSuccess &&
      static_cast<std::int64_t>(per_processor) * multiprocessors() >= boxes.count.count())
    return nullptr;
  cudaGetLastError();  // Clears the error, which the next call would report otherwise.
  return "the GPU cannot hold all boxes at once: it has too few multiprocessors or too little shared memory";
}

template <typename T>
const char* fill(const Call& call, ResidentState* state) {
  const Boxes boxes = cut(call.problem.extents, call.tuned<BoxCounts>());
  const auto bytes = static_cast<std::size_t>(box_bytes(boxes, call.problem.type));
  const char* reason = refuse_device<T>(boxes, bytes);
  if (!reason) reason = allocate_cuda<T>(call, false, &state->links);
  if (reason) return reason;
  state->mail_bytes = bytes * static_cast<std::size_t>(boxes.count.count());
  cudaError_t error = cudaMalloc(&state->mail, state->mail_bytes);
  if (error == cudaSuccess) error = state->waits.make();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  auto* const resident = new ResidentState;
  const char* reason = fill<T>(call, resident);
  if (reason)
    release(resident);
  else
    *state = resident;
  return reason;
}

template <typename T>
void launch(const Call& call) {
  const auto* const state = static_cast<const ResidentState*>(call.state);
  const Boxes boxes = cut(call.problem.extents, call.tuned<BoxCounts>());
  const Extents &s = boxes.sides, &c = boxes.count;
  const auto narrow = [](std::int64_t n) { return static_cast<int>(n); };
  Resident<T> r = {state->links.map.links,
                   static_cast<Word<T>*>(state->mail),
                   call.array<T>(0),
                   call.problem.extents,
                   {narrow(s.x), narrow(s.y), narrow(s.z)},
                   {narrow(c.x), narrow(c.y), narrow(c.z)},
                   steps_of(call.problem),
                   rates_of<T>(call.problem),
                   state->waits.poll_limit()};
  cudaMemsetAsync(state->mail, 0, state->mail_bytes, stream_of(call));
  void* arguments[] = {&r};
  with_kernel<T>(boxes, [&](auto* kernel) {
    cudaLaunchCooperativeKernel(kernel, dimensions(boxes.count), dim3(threads_for(boxes)), arguments,
                                static_cast<std::size_t>(box_bytes(boxes, call.problem.type)),
                                stream_of(call));
  });
}

const char* constraint(const Problem& problem, const BoxCounts& counts) {
  if (counts.boxes_x * counts.boxes_y * counts.boxes_z > multiprocessors())
    return "more boxes than the GPU has multiprocessors";
  return fits(cut(problem.extents, counts)) ? nullptr : "a box has more than 1024 nodes";
}

void adapt(const Problem& problem, BoxCounts& counts) {
  counts = cheapest_boxes(problem.extents, multiprocessors());
}

std::int64_t workspace(const Problem& problem, const BoxCounts& counts) {
  const Boxes boxes = cut(problem.extents, counts);
  return boxes.count.count() * box_bytes(boxes, problem.type) +
         problem.extents.count() * static_cast<std::int64_t>(sizeof(Links));
}

}  // namespace resident

// The CUDA code of the talk "Introduction to OpenACC": two kernels per step, one thread per node. The first
// kernel moves the densities from f to g, the second one collides g into f. Both read the node's flag. The
// first kernel also reads the flags of the neighbouring nodes.
namespace two_kernels {

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

}  // namespace two_kernels

}  // namespace

std::vector<Variant> lbm_d3q15_cuda() {
  return {
      {.name = "fused",
       .description =
           "one kernel per step from one lattice to the other; the flags of neighbours are packed into bits",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<fused::Launch>(
           {{"block_x", &fused::Launch::block_x, {32, 64, 128, 256}},
            {"block_y", &fused::Launch::block_y, {1, 2, 4, 8}},
            {"nodes_per_thread", &fused::Launch::nodes_per_thread, fused::Widths::list()},
            {"alternate_direction", &fused::Launch::alternate_direction, {0, 1}},
            {"graph", &fused::Launch::graph, {0, 1}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(fused::launch),
       .constraint = by_name<fused::constraint>,
       .adapt = by_name<fused::adapt>,
       .prepare = prepare_either<fused::prepare<float>, fused::prepare<double>>,
       .prepare_depends_on = DependsOn::structure,
       .release = release_cuda,
       .workspace = workspace_cuda<true>},
      {.name = "resident",
       .description = "the lattice stays in shared memory, one box per multiprocessor; boxes exchange "
                      "densities in global memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<BoxCounts>({{"boxes_x", &BoxCounts::boxes_x, box_counts},
                                        {"boxes_y", &BoxCounts::boxes_y, box_counts},
                                        {"boxes_z", &BoxCounts::boxes_z, box_counts}}),
       .launch = SEXTANT_FLOAT_DOUBLE(resident::launch),
       .constraint = by_name<resident::constraint>,
       .adapt = by_name<resident::adapt>,
       .prepare = prepare_either<resident::prepare<float>, resident::prepare<double>>,
       .prepare_depends_on = DependsOn::structure,
       .release = resident::release,
       .workspace = by_name<resident::workspace>},
      {.name = "two_kernels",
       .description = "propagate and collide as two kernels, one thread per node: the form of the talk "
                      "Introduction to OpenACC",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<two_kernels::Block>({{"block_x", &two_kernels::Block::block_x, {16, 32, 64, 128}},
                                                 {"block_y", &two_kernels::Block::block_y, {1, 2, 4, 8, 16}},
                                                 {"block_z", &two_kernels::Block::block_z, {1, 2, 4}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(two_kernels::launch),
       .constraint = by_name<two_kernels::constraint>,
       .prepare = prepare_either<prepare_cuda<float, true>, prepare_cuda<double, true>>,
       .prepare_depends_on = DependsOn::structure,
       .release = release_cuda,
       .workspace = workspace_cuda<true>},
  };
}

}  // namespace sextant
