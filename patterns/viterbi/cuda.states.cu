// The form one writes first: a sequence a block, a state a thread, places of all sequences kept; one thread walks back.
#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using viterbi::Place;
using viterbi::Task;

__global__ void __launch_bounds__(1024) decode(Task task, Place* places) {
  extern __shared__ std::int32_t scores[];
  const std::int64_t j = threadIdx.x, sequence = blockIdx.x;
  const std::int32_t* observed = task.observed + sequence * task.length;
  Place* const back = places + sequence * task.length * task.states;
  std::int32_t *before = scores, *now = scores + task.states;
  if (j < task.states) before[j] = task.e[j * viterbi::symbols + observed[0]];
  __syncthreads();
  for (std::int64_t t = 1; t < task.length; ++t) {
    if (j < task.states) {
      const viterbi::Best best = viterbi::best_way(task, before, j);
      back[t * task.states + j] = static_cast<Place>(best.from);
      now[j] = best.score + task.e[j * viterbi::symbols + observed[t]];
    }
    __syncthreads();
    std::int32_t* const other = before;
    before = now;
    now = other;
  }
  if (j == 0) viterbi::walk_back(task.states, task.length, before, back, task.path + sequence * task.length);
}

void launch(const Call& call) {
  const Task task = viterbi::task_of(call);
  const auto block = static_cast<unsigned>((task.states + 31) / 32 * 32);
  const auto bytes = static_cast<std::size_t>(2 * task.states) * sizeof(std::int32_t);
  decode<<<static_cast<unsigned>(task.sequences), block, bytes, stream_of(call)>>>(
      task, static_cast<Place*>(call.state));
}

std::int64_t workspace(const Problem& p, const int*) {
  return viterbi::sequences_of(p) * viterbi::length_of(p) * viterbi::states_of(p) *
         static_cast<std::int64_t>(sizeof(Place));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, nullptr))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the ways back";
}

}  // namespace

Variant viterbi_cuda_states() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a sequence a block, a state a thread";
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
