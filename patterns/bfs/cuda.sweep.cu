// The form one writes first: a launch a level over all vertices; the host asks each time whether there was one.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

__global__ void begin(std::int64_t n, int source, std::int32_t* level, int* found) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < n) level[v] = v == source ? 0 : -1;
  if (v == 0) *found = 0;
}

// Of several who reach a vertex, or find that there are any, all write the same.
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
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for a number";
}

}  // namespace

Variant bfs_cuda_sweep() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a launch a level over all vertices, a vertex a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch.int32 = launch;
  variant.workspace = [](const Problem&, const int*) { return std::int64_t{sizeof(int)}; };
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
