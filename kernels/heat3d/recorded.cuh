// Many launches as one: recorded in a CUDA graph when the case is prepared, played at every launch. A variant
// has launch_all<T>(call), which puts all of its launches on the call's stream.
#pragma once

#include "point.cuh"

namespace sextant::heat3d {

using LaunchAll = PerType<void (*)(const Call& call)>;

// The state of variants whose launches are recorded.
struct Recorded {
  void* workspace = nullptr;
  cudaGraphExec_t graph = nullptr;
  const void* arrays[2] = {};  // that the graph has been recorded with
};

template <typename T>
T* workspace_of(const Call& call) {
  return call.state ? static_cast<T*>(static_cast<Recorded*>(call.state)->workspace) : nullptr;
}

constexpr std::int64_t most_recorded = 20'000;  // launches in a graph; more are launched one by one

inline void release_recorded(void* state) {
  auto* recorded = static_cast<Recorded*>(state);
  if (!recorded) return;
  if (recorded->graph) cudaGraphExecDestroy(recorded->graph);
  cudaFree(recorded->workspace);
  delete recorded;
}

// Records what `launch_all` launches for a call; where that fails there is no graph.
inline void record(const Call& call, Recorded* recorded, void (*launch_all)(const Call&)) {
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
  Call on_stream = call;
  on_stream.stream = stream;
  on_stream.state = recorded;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
    launch_all(on_stream);
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess ||
        cudaGraphInstantiate(&recorded->graph, graph, 0) != cudaSuccess)
      recorded->graph = nullptr;  // then launches go one by one
  }
  if (graph) cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaGetLastError();
  recorded->arrays[0] = call.address(0);
  recorded->arrays[1] = call.address(1);
}

// Makes a workspace of `bytes` and records the launches, unless there are too few or too many of them.
inline const char* prepare_recorded(const Call& call, void** state, std::int64_t launches,
                                    const LaunchAll& launch_all, std::int64_t bytes) {
  auto* recorded = new Recorded;
  if (const char* reason = allocate_workspace(bytes, &recorded->workspace)) {
    release_recorded(recorded);
    return reason;
  }
  *state = recorded;
  if (launches >= 2 && launches <= most_recorded) record(call, recorded, launch_all[call.problem.type]);
  return nullptr;
}

// The same with one array as workspace, where there is more than one step.
inline const char* prepare_recorded(const Call& call, void** state, std::int64_t launches,
                                    const LaunchAll& launch_all) {
  return prepare_recorded(call, state, launches, launch_all, workspace_bytes(call.problem));
}

// Plays the graph where there is one for the call's arrays.
inline void play_or(const Call& call, void (*launch_all)(const Call&)) {
  const auto* recorded = static_cast<const Recorded*>(call.state);
  if (recorded && recorded->graph && recorded->arrays[0] == call.address(0) &&
      recorded->arrays[1] == call.address(1))
    cudaGraphLaunch(recorded->graph, stream_of(call));
  else
    launch_all(call);
}

inline Variant recorded_variant(const char* description) {
  Variant variant = device_variant(description);
  variant.release = release_recorded;
  return variant;
}

}  // namespace sextant::heat3d
