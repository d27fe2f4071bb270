// Records a call's kernel launches on several GPUs as one CUDA graph per partition. Launching a graph costs
// the host less time than launching the kernels one by one.
#pragma once

#include <array>

#include "toolbox/cuda/peers.cuh"

namespace sextant::peers {

class PartGraphs {
 public:
  PartGraphs() = default;
  PartGraphs(const PartGraphs&) = delete;
  PartGraphs& operator=(const PartGraphs&) = delete;
  ~PartGraphs() {
    for (cudaGraphExec_t graph : graphs_)
      if (graph) cudaGraphExecDestroy(graph);
  }

  // Records the launches of launch_all(), which launches the work of all partitions on their streams. Records
  // nothing if several partitions share a GPU, because their graphs could wait for each other in one hardware
  // queue.
  template <typename LaunchAll>
  void record(const parts::Team& team, LaunchAll launch_all) {
    if (team.sharing > 1) return;
    is_there_ = true;
    for_parts(team, [&](int, cudaStream_t stream) {
      is_there_ = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess && is_there_;
    });
    launch_all();
    for_parts(team, [&](int part, cudaStream_t stream) {
      cudaGraph_t graph = nullptr;
      is_there_ = cudaStreamEndCapture(stream, &graph) == cudaSuccess && is_there_ &&
                  cudaGraphInstantiate(&graphs_[static_cast<std::size_t>(part)], graph, 0) == cudaSuccess;
      if (graph) cudaGraphDestroy(graph);
    });
    // Clears the error, so that no later check reports it; is_there() reports it instead.
    cudaGetLastError();
  }
  bool is_there() const { return is_there_; }

  void launch(const parts::Team& team) const {
    for_parts(team, [&](int part, cudaStream_t stream) {
      cudaGraphLaunch(graphs_[static_cast<std::size_t>(part)], stream);
    });
  }

 private:
  std::array<cudaGraphExec_t, parts::most_of_a_team> graphs_ = {};
  bool is_there_ = false;
};

// Increments and returns the calling thread's round counter. A recorded graph cannot get a new round number
// from the host, so each thread counts rounds in device memory. The grid must be the same in every call.
__device__ __forceinline__ unsigned next_round(unsigned* rounds, std::int64_t thread) {
  return ++rounds[thread];
}

}  // namespace sextant::peers
