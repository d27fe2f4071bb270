// Arrays whose rows begin where vectors may, at multiples of 32 points, though the box's rows do not.
#pragma once

#include "recorded.cuh"

namespace sextant::heat3d {

inline std::int64_t padded_pitch(const Problem& problem) { return (problem.extents.x + 31) / 32 * 32; }

inline std::int64_t padded_points(const Problem& problem) {
  return padded_pitch(problem) * problem.extents.y * problem.extents.z;
}

inline std::int64_t padded_bytes(const Problem& problem, std::int64_t arrays) {
  return arrays * padded_points(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

// Array `index` of a call's workspace, which has two in turn.
template <typename T>
T* padded_array(const Call& call, std::int64_t index) {
  return workspace_of<T>(call) + index % 2 * padded_points(call.problem);
}

// Copies rows of nx points that begin every `from_pitch` to those every `to_pitch`, a row a warp. A thread has several
// points on their way at once, or what is in flight does not fill the memory's bandwidth.
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

// `sweeps` launches go from padded array i to padded array i + 1, beginning with 0; u is copied there and v from there.
template <typename T, typename Launch>
void with_padded_rows(const Call& call, std::int64_t sweeps, Launch launch) {
  const std::int64_t x = call.problem.extents.x, pitch = padded_pitch(call.problem);
  launch_copy_rows<T>(call, x, pitch, call.array<const T>(0), padded_array<T>(call, 0));
  launch();
  launch_copy_rows<T>(call, pitch, x, padded_array<T>(call, sweeps), call.array<T>(1));
}

}  // namespace sextant::heat3d
