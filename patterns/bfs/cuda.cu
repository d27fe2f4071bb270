#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"
#include "vertices.cuh"

namespace sextant {
namespace {

// One launch per level, which visits the neighbours of the vertices that the previous level found. The host
// reads their number before each launch. A warp appends all vertices that it finds to the queue by one atomic
// addition.
namespace queue {

using Blocks = Choices<64, 128, 256, 512>;

struct Block {
  int block_size = 128;
};

__global__ void begin(bfs::Task task, bfs::Stretch* queue, int* tail) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < task.n) task.level[v] = v == task.source ? 0 : -1;
  if (v == 0) *queue = bfs::stretch_of(task, task.source), *tail = 1;
}

__global__ void expand(bfs::Task task, int first, int last, int next, bfs::Stretch* queue, int* tail) {
  const std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  bfs::expand_warp(task, i < last ? bfs::taken_from(queue + i) : bfs::Stretch{}, INT32_MAX, next, queue, tail,
                   0);
}

void launch(const Call& call) {
  const bfs::Task task(call);
  const int block = call.tuned<Block>().block_size;
  const cudaStream_t stream = stream_of(call);
  auto* queue = static_cast<bfs::Stretch*>(call.state);
  int* tail = reinterpret_cast<int*>(queue + task.n);
  begin<<<blocks_for(task.n, block), block, 0, stream>>>(task, queue, tail);
  int first = 0, last = 1;
  for (int next = 1; first < last; ++next) {
    expand<<<blocks_for(last - first, block), block, 0, stream>>>(task, first, last, next, queue, tail);
    first = last;
    cudaMemcpyAsync(&last, tail, sizeof last, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess) return;
  }
}

std::int64_t workspace(const Problem& problem, const int*) { return 8 * (bfs::vertices_of(problem) + 1); }

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, nullptr))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the queue";
}

}  // namespace queue

// The straightforward implementation: one launch per level, which examines all vertices. After each launch
// the host reads whether the launch found a new vertex.
namespace sweep {

struct Block {
  int block_size = 256;
};

__global__ void begin(std::int64_t n, int source, std::int32_t* level, int* found) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < n) level[v] = v == source ? 0 : -1;
  if (v == 0) *found = 0;
}

// Several threads may reach the same vertex or set `found`. All of them store the same value.
__global__ void sweep(bfs::Task task, int now, int* found) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v >= task.n || task.level[v] != now) return;
  for (int e = task.row[v]; e < task.row[v + 1]; ++e) {
    const int w = task.adjacent[e];
    if (task.level[w] >= 0) continue;
    task.level[w] = now + 1;
    *found = now + 1;
  }
}

void launch(const Call& call) {
  const bfs::Task task(call);
  const int block = call.tuned<Block>().block_size;
  const unsigned blocks = blocks_for(task.n, block);
  const cudaStream_t stream = stream_of(call);
  int *found = static_cast<int*>(call.state), last = 0;
  begin<<<blocks, block, 0, stream>>>(task.n, task.source, task.level, found);
  for (int now = 0; last == now; ++now) {
    sweep<<<blocks, block, 0, stream>>>(task, now, found);
    cudaMemcpyAsync(&last, found, sizeof last, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess) return;
  }
}

const char* prepare(const Call&, void** state) {
  if (cudaMalloc(state, sizeof(int)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the end-of-search flag";
}

}  // namespace sweep

}  // namespace

std::vector<Variant> bfs_cuda() {
  return {
      {.name = "queue",
       .description =
           "one launch per level over a queue of its vertices; a whole warp expands a vertex with many "
           "neighbours",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<queue::Block>({{"block_size", &queue::Block::block_size, queue::Blocks::list()}}),
       .launch = {.int32 = queue::launch},
       .prepare = queue::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = queue::workspace},
      {.name = "sweep",
       .description = "the plain form: one launch per level over all vertices, one thread per vertex",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<sweep::Block>({{"block_size", &sweep::Block::block_size, BlockSizes::list()}}),
       .launch = {.int32 = sweep::launch},
       .prepare = sweep::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = [](const Problem&, const int*) { return std::int64_t{sizeof(int)}; }},
  };
}

}  // namespace sextant
