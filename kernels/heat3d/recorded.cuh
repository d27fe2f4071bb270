// Records the launches of a call as a CUDA graph in `prepare` and replays it at every launch.
#pragma once

#include "point.cuh"

// Functions that submit all launches of a call to the call's stream, one per element type.
namespace sextant::heat3d {

using LaunchAll = PerType<void (*)(const Call& call)>;

// State of variants whose launches are recorded.
struct Recorded {
  void* workspace = nullptr;
  cudaGraphExec_t graph = nullptr;
  const void* arrays[2] = {};  // the arrays u and v with which the graph was recorded
};

template <typename T>
T* workspace_of(const Call& call) {
  return call.state ? static_cast<T*>(static_cast<Recorded*>(call.state)->workspace) : nullptr;
}

// Maximum number of launches in one graph. Calls with more launches are not recorded.
constexpr std::int64_t most_recorded = 20'000;

inline void release_recorded(void* state) {
  auto* recorded = static_cast<Recorded*>(state);
  if (!recorded) return;
  if (recorded->graph) cudaGraphExecDestroy(recorded->graph);
  cudaFree(recorded->workspace);
  delete recorded;
}

// Records the launches of `launch_all` for a call. On failure `recorded` has no graph.
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
      recorded->graph = nullptr;  // without a graph, launches go one by one
  }
  if (graph) cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaGetLastError();
  recorded->arrays[0] = call.address(0);
  recorded->arrays[1] = call.address(1);
}

// Allocates a workspace of `bytes` and records the launches. Records nothing if there are fewer than 2 or
// more than most_recorded launches.
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

// Overload whose workspace is one array, which is allocated only if there is more than one step.
inline const char* prepare_recorded(const Call& call, void** state, std::int64_t launches,
                                    const LaunchAll& launch_all) {
  return prepare_recorded(call, state, launches, launch_all, workspace_bytes(call.problem));
}

// Replays the graph if it was recorded for the call's arrays. Otherwise calls launch_all.
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

// Arrays with padded rows: each row begins at a multiple of 32 points, so that vector accesses are aligned.

inline std::int64_t padded_pitch(const Problem& problem) { return (problem.extents.x + 31) / 32 * 32; }

inline std::int64_t padded_points(const Problem& problem) {
  return padded_pitch(problem) * problem.extents.y * problem.extents.z;
}

inline std::int64_t padded_bytes(const Problem& problem, std::int64_t arrays) {
  return arrays * padded_points(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

// Returns array `index` of a call's workspace. The workspace has two arrays, which are used alternately.
template <typename T>
T* padded_array(const Call& call, std::int64_t index) {
  return workspace_of<T>(call) + index % 2 * padded_points(call.problem);
}

// Copies rows of nx points, one row per warp. Rows begin every `from_pitch` elements in `from` and every
// `to_pitch` in `to`. Each thread keeps several loads in flight, which full memory bandwidth requires.
template <typename T>
__global__ void copy_rows(std::int64_t rows, int nx, int from_pitch, int to_pitch, const T* __restrict__ from,
                          T* __restrict__ to) {
  constexpr int at_once = 8;
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  from += row * from_pitch;
  to += row * to_pitch;
  for (int first = static_cast<int>(threadIdx.x); first < nx; first += 32 * at_once) {
    T points[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      if (first + 32 * i < nx) points[i] = from[first + 32 * i];
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      if (first + 32 * i < nx) to[first + 32 * i] = points[i];
  }
}

template <typename T>
void launch_copy_rows(const Call& call, std::int64_t from_pitch, std::int64_t to_pitch, const T* from,
                      T* to) {
  const Extents& box = call.problem.extents;
  const std::int64_t rows = box.y * box.z;
  copy_rows<<<blocks_for(rows, 8), dim3(32, 8), 0, stream_of(call)>>>(
      rows, static_cast<int>(box.x), static_cast<int>(from_pitch), static_cast<int>(to_pitch), from, to);
}

// Copies u to padded array 0, calls `launch`, and copies the last array to v. `launch` must make `sweeps`
// sweeps. Sweep i must read array i and write array i + 1.
template <typename T, typename Launch>
void with_padded_rows(const Call& call, std::int64_t sweeps, Launch launch) {
  const std::int64_t x = call.problem.extents.x, pitch = padded_pitch(call.problem);
  launch_copy_rows<T>(call, x, pitch, call.array<const T>(0), padded_array<T>(call, 0));
  launch();
  launch_copy_rows<T>(call, pitch, x, padded_array<T>(call, sweeps), call.array<T>(1));
}

}  // namespace sextant::heat3d
