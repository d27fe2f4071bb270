// Breadth-first search in one launch of a single thread-block cluster, for graphs with few vertices per
// level. The blocks synchronize by the cluster barrier and keep the vertices of a level in shared memory. All
// blocks share the work of the next level and read each other's shared memory. A queued vertex is stored as
// the range of its neighbours.
#include <cooperative_groups.h>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "vertices.cuh"

namespace sextant {
namespace {

using bfs::Task;

constexpr int threads = 1024;
constexpr int room = 8192;  // vertices that one block can queue per level of the search

struct Shape {
  int blocks = 8;
};

using bfs::Stretch;

// One block's queues for two levels of the search: the threads read one queue and append to the other.
struct Queue {
  Stretch found[2][room];
  int count[2];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

constexpr int ahead = 32;  // prefetch distance, in vertices
constexpr int some = 4;    // neighbours that a thread loads at a time

// Visits the neighbours adjacent[stretch.begin] to adjacent[stretch.end - 1] and queues those not yet
// visited. Returns true if the queue was full.
__device__ __forceinline__ bool expand(const Task& task, const Stretch& stretch, int next, Queue& queue,
                                       int turn) {
  bool full = false;
  for (int e = stretch.begin; e < stretch.end; e += some) {
    int vertices[some], before[some];
    Stretch stretches[some];
  #pragma unroll
    for (int i = 0; i < some; ++i) vertices[i] = e + i < stretch.end ? __ldg(task.adjacent + e + i) : -1;
  #pragma unroll
    for (int i = 0; i < some; ++i) {
      if (vertices[i] < 0) continue;
      before[i] = atomicCAS(task.level + vertices[i], -1, next);
      stretches[i] = bfs::stretch_of(task, vertices[i]);
    }
  #pragma unroll
    for (int i = 0; i < some; ++i) {
      if (i == 0) bfs::expect(task, stretch, vertices[0], ahead);
      if (vertices[i] < 0 || before[i] != -1) continue;
      const int place = atomicAdd(&queue.count[turn], 1);
      if (place < room)
        queue.found[turn][place] = stretches[i];
      else
        full = true;
    }
  }
  return full;
}

#endif

__global__ void __launch_bounds__(threads, 1) search(Task task, PollLimit poll_limit) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  extern __shared__ __align__(16) unsigned char memory[];
  auto& queue = *reinterpret_cast<Queue*>(memory);
  constexpr int most_blocks = 16;
  __shared__ int begins[most_blocks + 1];
  const auto cluster = cooperative_groups::this_cluster();
  const int blocks = static_cast<int>(cluster.num_blocks()), block = static_cast<int>(cluster.block_rank()),
            thread = static_cast<int>(threadIdx.x);
  for (std::int64_t v = block * threads + thread; v < task.n; v += blocks * threads)
    bfs::set_level(task.level, v, v == task.source ? 0 : -1);
  if (thread == 0) {
    queue.count[0] = block == 0 ? 1 : 0;
    queue.count[1] = 0;
    if (block == 0) queue.found[0][0] = {task.row[task.source], task.row[task.source + 1]};
  }
  __threadfence();
  cluster.sync();
  for (int now = 0;; ++now) {
    const int turn = now % 2;
    if (thread < 32) {
      const int count = thread < blocks ? min(room, *cluster.map_shared_rank(&queue.count[turn], thread)) : 0;
      const int upto = warp_inclusive_sum(count);
      if (thread < blocks) begins[thread + 1] = upto;
      if (thread == 0) begins[0] = 0;
    }
    __syncthreads();
    const int count = begins[blocks];
    if (count == 0) break;
    bool full = false;
    for (int i = thread * blocks + block; i < count; i += threads * blocks) {
      int owner = 0;
      while (i >= begins[owner + 1]) ++owner;
      const Stretch stretch = cluster.map_shared_rank(queue.found[turn], owner)[i - begins[owner]];
      full |= expand(task, stretch, now + 1, queue, turn ^ 1);
    }
    if (full) poll_limit.give_up();
    cluster.sync();
    if (thread == 0)
      // All blocks have read the count. This block appends to the queue only after the next barrier.
      queue.count[turn] = 0;
  }
  cluster.sync();  // no block may exit while others can read its shared memory
#endif
}

struct State {
  WaitFlag flag;
};

void launch(const Call& call) {
  const Task task(call);
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(static_cast<unsigned>(call.tuned<Shape>().blocks));
  configuration.blockDim = dim3(threads);
  configuration.dynamicSmemBytes = sizeof(Queue);
  configuration.stream = stream_of(call);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = configuration.gridDim.x;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  cudaLaunchKernelEx(&configuration, search, task, static_cast<const State*>(call.state)->flag.poll_limit());
}

// Checks that every level fits in shared memory. A level of the grid graph has at most one vertex per grid
// column.
const char* refuse(const Problem& problem, const Shape&) {
  if (problem.parameters[0] != bfs::grid)
    return "only for bfs_grid: a level of bfs_rmat may not fit in shared memory";
  return square_root(bfs::vertices_of(problem)) > room
             ? "more than 8192 vertices per grid row: a level may not fit in shared memory"
             : nullptr;
}

void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t widest = square_root(bfs::vertices_of(problem));
  shape.blocks = widest <= threads ? 1 : widest <= 2 * threads ? 2 : widest <= 4 * threads ? 4 : 8;
}

const char* prepare(const Call& call, void** state) {
  if (device_attribute(cudaDevAttrComputeCapabilityMajor, 9) < 9)
    return "needs thread-block clusters (compute capability 9.0 or later)";
  const int blocks = call.tuned<Shape>().blocks;
  cudaFuncSetAttribute(search, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(Queue)));
  if (blocks > 8) cudaFuncSetAttribute(search, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  auto* mine = new State;
  if (mine->flag.make() == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the time-out flag";
}

}  // namespace

std::vector<Variant> bfs_cuda_cluster() {
  return {{.name = "cluster",
           .description =
               "one launch of one thread-block cluster; levels stay in shared memory, with a cluster barrier "
               "after each",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"blocks", &Shape::blocks, {1, 2, 4, 8, 16}}}),
           .launch = {.int32 = launch},
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = [](const Problem&, const int*) { return std::int64_t{sizeof(int)}; }}};
}

}  // namespace sextant
