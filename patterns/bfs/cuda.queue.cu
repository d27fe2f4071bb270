// A launch a level over what the one before found, whose number the host asks for each time. Warps put what they find into the queue by
// one addition.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "vertices.cuh"

namespace sextant {
namespace {

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
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the queue";
}

}  // namespace

Variant bfs_cuda_queue() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a launch a level over what the one before found; a vertex a lane, large ones a warp";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Blocks::list()}});
  variant.launch.int32 = launch;
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
