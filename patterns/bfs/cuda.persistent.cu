// Breadth-first search in one launch for all levels. After each level all blocks wait at a barrier, which has
// a time limit.
//
// A level visits the neighbours of the queued vertices. If these are a large share of all vertices, the
// search goes bottom-up: each unvisited vertex looks for one neighbour in the previous level.
//
// Vertices with very many neighbours are expanded by all blocks together. In a level with few vertices the
// threshold for this is lower.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "vertices.cuh"

namespace sextant {
namespace {

using bfs::Task;

constexpr int most_threads = 512;
constexpr int most_neighbours = 4096;  // the most neighbours of a vertex that one warp expands alone
// In a level of at most few_vertices vertices, most warps would be idle. All blocks together then expand each
// vertex with more than most_of_few neighbours. At this threshold one warp takes about as long as the
// additional barrier (docs/explanation/kernels/bfs.md).
constexpr int few_vertices = 8, most_of_few = 96;

struct Shape {
  int block_size = 512, blocks_per_multiprocessor = 2, bottom_up_threshold = 32;
  int prefetch_distance = 0;  // prefetch distance, in vertices
};

// Device counters, set to 0 before the launch. Each array has one entry for each of three successive levels:
// one is being read, one is being counted, one is reset to 0.
struct alignas(128) Counters {
  unsigned arrived;
  alignas(128) int found[3], large[3], queued[3];
};

// `queue` can hold all vertices. `large` lists the vertices of one level that all blocks expand together.
struct Workspace {
  Counters* counters;
  bfs::Stretch *queue, *large;
  PollLimit poll_limit;
};

std::int64_t most_large(const Problem& problem) {
  return std::max<std::int64_t>(bfs::entries_of(problem) / most_neighbours + 1, few_vertices);
}

// Waits until all blocks have arrived. Returns false if the wait timed out; the calling block must then exit.
__device__ __forceinline__ bool wait_for_all(const Workspace& work, unsigned& round) {
  __shared__ bool all_came;
  __syncthreads();
  if (threadIdx.x == 0) {
    all_came = true;
    __threadfence();
    const unsigned awaited = ++round * gridDim.x;
    atomicAdd(&work.counters->arrived, 1u);
    int peeks = work.poll_limit.peeks;
    for (;;) {
      unsigned arrived;
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                   : "=r"(arrived)
                   : "l"(&work.counters->arrived)
                   : "memory");
      if (static_cast<int>(arrived - awaited) >= 0) break;
      if (--peeks > 0) continue;
      work.poll_limit.give_up();
      all_came = false;
      break;
    }
    __threadfence();
  }
  __syncthreads();
  return all_came;
}

__device__ __forceinline__ std::int64_t thread_of_all() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::int64_t all_threads() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

__device__ __forceinline__ void top_down(const Task& task, const Workspace& work, int begin, int end,
                                         int next, int* found, int* large, int ahead) {
  const std::int64_t all = all_threads();
  const int most = end - begin <= few_vertices ? most_of_few : most_neighbours;
  // Consecutive warps run on different multiprocessors, so that even few vertices occupy all multiprocessors.
  const std::int64_t warp = static_cast<std::int64_t>(threadIdx.x / 32) * gridDim.x + blockIdx.x;
  for (std::int64_t first = begin + warp * 32; first < end; first += all) {
    const std::int64_t i = first + threadIdx.x % 32;
    const bfs::Stretch stretch = i < end ? bfs::taken_from(work.queue + i) : bfs::Stretch{};
    if (bfs::expand_warp(task, stretch, most, next, work.queue + end, found, ahead))
      bfs::put(work.large + atomicAdd(large, 1), stretch);
  }
}

// All blocks together expand the `count` vertices in work.large. `queue` is where the next level starts.
__device__ __forceinline__ void expand_large(const Task& task, const Workspace& work, int count, int next,
                                             bfs::Stretch* queue, int* tail) {
  for (int i = 0; i < count; ++i) {
    const bfs::Stretch stretch = bfs::taken_from(work.large + i);
    for (std::int64_t first = stretch.begin + thread_of_all() / 32 * 32; first < stretch.end;
         first += all_threads()) {
      const std::int64_t e = first + threadIdx.x % 32;
      bfs::expand_entry(task, e < stretch.end, e, next, queue, tail);
    }
  }
}

// Returns true if the unvisited vertex v has a neighbour in level `now`.
__device__ __forceinline__ bool has_neighbour_in(const Task& task, std::int64_t v, int now) {
  constexpr int some = 4;
  const int end = __ldg(task.row + v + 1);
  for (int e = __ldg(task.row + v); e < end; e += some) {
    int levels[some];
#pragma unroll
    for (int i = 0; i < some; ++i)
      levels[i] = e + i < end ? bfs::level_of(task.level, __ldg(task.adjacent + e + i)) : -1;
#pragma unroll
    for (int i = 0; i < some; ++i)
      if (levels[i] == now) return true;
  }
  return false;
}

__device__ __forceinline__ void bottom_up(const Task& task, int now, int* found) {
  int count = 0;
  for (std::int64_t v = thread_of_all(); v < task.n; v += all_threads())
    if (bfs::level_of(task.level, static_cast<int>(v)) < 0 && has_neighbour_in(task, v, now)) {
      bfs::set_level(task.level, v, now + 1);
      ++count;
    }
  count = warp_sum(count);
  if (threadIdx.x % 32 == 0 && count > 0) atomicAdd(found, count);
}

// Appends all vertices of level `now` to the queue.
__device__ __forceinline__ void queue_level(const Task& task, bfs::Stretch* queue, int* tail, int now) {
  const std::int64_t all = all_threads();
  for (std::int64_t first = thread_of_all() / 32 * 32; first < task.n; first += all) {
    const std::int64_t v = first + threadIdx.x % 32;
    const bool mine = v < task.n && bfs::level_of(task.level, static_cast<int>(v)) == now;
    const bfs::Stretch stretches[1] = {mine ? bfs::stretch_of(task, static_cast<int>(v)) : bfs::Stretch{}};
    bfs::push(queue, tail, stretches, mine ? 1 : 0);
  }
}

__global__ void __launch_bounds__(most_threads, 2) search(Task task, Workspace work, int share, int ahead) {
  Counters& counters = *work.counters;
  for (std::int64_t v = thread_of_all(); v < task.n; v += all_threads())
    bfs::set_level(task.level, v, v == task.source ? 0 : -1);
  if (thread_of_all() == 0) bfs::put(work.queue, bfs::stretch_of(task, task.source));
  unsigned round = 0;
  if (!wait_for_all(work, round)) return;
  int begin = 0, end = 1;  // range of the current level's vertices in the queue
  std::int64_t count = 1;
  bool queued = true;
  for (int now = 0; count > 0; ++now) {
    const int turn = now % 3;
    if (thread_of_all() == 0) {
      counters.found[(turn + 1) % 3] = 0;
      counters.large[(turn + 1) % 3] = 0;
      counters.queued[(turn + 1) % 3] = 0;
    }
    if (count * share >= task.n) {
      bottom_up(task, now, &counters.found[turn]);
      if (!wait_for_all(work, round)) return;
      count = __ldcg(&counters.found[turn]);
      queued = false;
      continue;
    }
    if (!queued) {
      queue_level(task, work.queue + end, &counters.queued[turn], now);
      if (!wait_for_all(work, round)) return;
      begin = end, end += static_cast<int>(count), queued = true;
    }
    top_down(task, work, begin, end, now + 1, &counters.found[turn], &counters.large[turn], ahead);
    if (!wait_for_all(work, round)) return;
    if (const int large = __ldcg(&counters.large[turn]); large > 0) {
      expand_large(task, work, large, now + 1, work.queue + end, &counters.found[turn]);
      if (!wait_for_all(work, round)) return;
    }
    count = __ldcg(&counters.found[turn]);
    begin = end, end += static_cast<int>(count);
  }
}

struct State {
  WaitFlag flag;
  void* memory = nullptr;
  ~State() { cudaFree(memory); }
};

std::int64_t workspace(const Problem& problem, const Shape&) {
  return static_cast<std::int64_t>(sizeof(Counters)) + 8 * (bfs::vertices_of(problem) + most_large(problem));
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto& state = *static_cast<const State*>(call.state);
  Task task(call);
  auto* counters = static_cast<Counters*>(state.memory);
  auto* queue = reinterpret_cast<bfs::Stretch*>(counters + 1);
  Workspace work = {counters, queue, queue + task.n, state.flag.poll_limit()};
  const auto most = static_cast<unsigned>(shape.blocks_per_multiprocessor * multiprocessors());
  const auto grid = std::clamp(blocks_for(task.n, shape.block_size), 1u, most);
  int share = shape.bottom_up_threshold, ahead = shape.prefetch_distance;
  void* arguments[] = {&task, &work, &share, &ahead};
  cudaMemsetAsync(counters, 0, sizeof *counters, stream_of(call));
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(search), dim3(grid),
                              dim3(static_cast<unsigned>(shape.block_size)), arguments, 0, stream_of(call));
}

// Uses few, small blocks for the grid graph: its levels hold little work, and the barrier is faster with
// fewer threads.
void adapt(const Problem& problem, Shape& shape) {
  if (problem.parameters[0] == bfs::grid) shape = {64, 1, 32, 32};
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  if (mine->flag.make() == cudaSuccess &&
      cudaMalloc(&mine->memory, static_cast<std::size_t>(workspace(call.problem, {}))) == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the queue";
}

}  // namespace

std::vector<Variant> bfs_cuda_persistent() {
  return {{.name = "persistent",
           .description =
               "one launch with a barrier over all blocks after each level; levels with many vertices run "
               "bottom-up",
           .memory_space = MemorySpace::cuda,
           .tunables =
               tunables<Shape>({{"block_size", &Shape::block_size, {64, 128, 256, 512}},
                                {"blocks_per_multiprocessor", &Shape::blocks_per_multiprocessor, {1, 2}},
                                {"bottom_up_threshold", &Shape::bottom_up_threshold, {8, 16, 32, 64, 128}},
                                {"prefetch_distance", &Shape::prefetch_distance, {0, 16, 32, 64}}}),
           .launch = {.int32 = launch},
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
