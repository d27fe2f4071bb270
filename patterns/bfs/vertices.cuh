// Device functions of the CUDA variants that claim vertices and visit their neighbours.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::bfs {

// The range of a vertex's neighbours in `adjacent`. Queues store ranges instead of vertex numbers: the thread
// that claims a vertex loads the range at once, which saves a load when the vertex leaves the queue.
struct alignas(8) Stretch {
  int begin = 0, end = 0;
};

__device__ __forceinline__ Stretch stretch_of(const Task& task, int v) {
  return {__ldg(task.row + v), __ldg(task.row + v + 1)};
}

// Loads the current level of w from the L2 cache, because the L1 cache may be stale.
__device__ __forceinline__ int level_of(const std::int32_t* level, int w) {
  int now;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(level + w) : "memory");
  return now;
}
__device__ __forceinline__ void set_level(std::int32_t* level, std::int64_t v, int to) {
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(level + v), "r"(to) : "memory");
}

// Sets the level of vertex w. Returns false if its level was already set.
__device__ __forceinline__ bool claim(std::int32_t* level, int w, int next) {
  return level_of(level, w) < 0 && atomicCAS(level + w, -1, next) == -1;
}

__device__ __forceinline__ Stretch taken_from(const Stretch* place) {
  const int2 both = __ldcg(reinterpret_cast<const int2*>(place));
  return {both.x, both.y};
}
__device__ __forceinline__ void put(Stretch* place, const Stretch& stretch) {
  __stcg(reinterpret_cast<int2*>(place), make_int2(stretch.begin, stretch.end));
}

// Appends each lane's first `count` ranges to the queue, with one atomic addition per warp. The whole warp
// must call it.
template <int room>
__device__ __forceinline__ void push(Stretch* queue, int* tail, const Stretch (&stretches)[room], int count) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int upto = warp_inclusive_sum(count), all = __shfl_sync(~0u, upto, 31);
  if (all == 0) return;
  int place = 0;
  if (lane == 31) place = atomicAdd(tail, all);
  place = __shfl_sync(~0u, place, 31) + upto - count;
#pragma unroll
  for (int i = 0; i < room; ++i)
    if (i < count) put(queue + place + i, stretches[i]);
}

// Visits the neighbour stored in adjacent[e] if `mine` is true. The whole warp must call it.
__device__ __forceinline__ void expand_entry(const Task& task, bool mine, std::int64_t e, int next,
                                             Stretch* queue, int* tail) {
  const int w = mine ? __ldg(task.adjacent + e) : 0;
  const bool found = mine && claim(task.level, w, next);
  const Stretch stretches[1] = {found ? stretch_of(task, w) : Stretch{}};
  push(queue, tail, stretches, found ? 1 : 0);
}

// Prefetches the data of the vertex numbered w + ahead. In the grid, vertices with nearby numbers are close
// to each other, so the next levels need these data.
__device__ __forceinline__ void expect(const Task& task, const Stretch& stretch, int w, int ahead) {
  const auto prefetch = [](const void* address) { asm volatile("prefetch.global.L2 [%0];" ::"l"(address)); };
  if (w + ahead < task.n) prefetch(task.row + w + ahead), prefetch(task.level + w + ahead);
  const std::int64_t entry = stretch.begin + 4 * static_cast<std::int64_t>(ahead);
  if (entry < task.entries) prefetch(task.adjacent + entry);
}

// Each lane expands its own vertex. It loads several neighbours at a time, to hide the latency of the loads.
__device__ __forceinline__ void expand_narrow(const Task& task, Stretch stretch, int next, Stretch* queue,
                                              int* tail, int ahead) {
  constexpr int some = 4;
  while (__any_sync(~0u, stretch.begin < stretch.end)) {
    int vertices[some], before[some], count = 0;
    Stretch stretches[some], found[some];
#pragma unroll
    for (int i = 0; i < some; ++i)
      vertices[i] = stretch.begin + i < stretch.end ? __ldg(task.adjacent + stretch.begin + i) : -1;
#pragma unroll
    for (int i = 0; i < some; ++i)
      before[i] = vertices[i] >= 0 ? atomicCAS(task.level + vertices[i], -1, next) : 0;
#pragma unroll
    for (int i = 0; i < some; ++i)
      stretches[i] = vertices[i] >= 0 ? stretch_of(task, vertices[i]) : Stretch{};
    if (ahead > 0 && stretch.begin < stretch.end) expect(task, stretch, vertices[0], ahead);
#pragma unroll
    for (int i = 0; i < some; ++i)
      if (before[i] == -1) {
#pragma unroll
        for (int k = 0; k < some; ++k)  // constant index, so that the array stays in registers
          if (k == count) found[k] = stretches[i];
        ++count;
      }
    push(queue, tail, found, count);
    stretch.begin += some;
  }
}

inline constexpr int wide = 64;  // a whole warp expands a vertex with at least this many neighbours

// Expands the warp's vertices, one per lane. Skips vertices with more than `most` neighbours, and returns
// true on the lanes that hold one.
__device__ __forceinline__ bool expand_warp(const Task& task, Stretch stretch, int most, int next,
                                            Stretch* queue, int* tail, int ahead) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool left_out = stretch.end - stretch.begin > most;
  if (left_out) stretch = {};
  for (unsigned lanes = __ballot_sync(~0u, stretch.end - stretch.begin >= wide); lanes != 0;
       lanes &= lanes - 1) {
    const int from = __ffs(static_cast<int>(lanes)) - 1;
    const int end = __shfl_sync(~0u, stretch.end, from);
    for (int first = __shfl_sync(~0u, stretch.begin, from); first < end; first += 32)
      expand_entry(task, first + lane < end, first + lane, next, queue, tail);
  }
  if (stretch.end - stretch.begin >= wide) stretch = {};
  expand_narrow(task, stretch, next, queue, tail, ahead);
  return left_out;
}

}  // namespace sextant::bfs
