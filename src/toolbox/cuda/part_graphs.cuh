// What a call launches on each part's GPU, recorded as a graph a GPU: the host launches a graph in less time
// than a kernel.
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

  // launch_all() launches what is all parts', each on its stream. Nothing is recorded where parts share a
  // GPU, as their graphs might wait for each other in one queue.
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
    cudaGetLastError();  // told by is_there(); not to be found by the next launch
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

// Calls with the same grid each time count their rounds on the GPU, a thread its own, so that the call can be
// recorded.
__device__ __forceinline__ unsigned next_round(unsigned* rounds, std::int64_t thread) {
  return ++rounds[thread];
}

}  // namespace sextant::peers
