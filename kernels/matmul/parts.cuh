// Sums of a tile's parts that several blocks compute: each leaves its own in memory, and the block that brings the last one
// adds all of them, so that nobody waits.
#pragma once

namespace sextant::matmul {

// Leaves a part's sums at `mine`, a thread's `threads` apart, and adds `steps` to the tile's count. True where that makes
// it `all`: the other parts are there, too, and the count is zero for the next launch. meet(): a barrier of the threads
// that call it; `last`: a word in shared memory.
template <int threads, int count, typename T, typename Meet>
__device__ __forceinline__ bool leave_part(const T (&sum)[count], T* mine, int* counted, int steps, int all,
                                           int* last, Meet meet) {
#pragma unroll
  for (int i = 0; i < count; ++i) mine[i * threads] = sum[i];
  __threadfence();
  meet();
  if (threadIdx.x == 0) *last = atomicAdd(counted, steps) + steps == all;
  meet();
  if (!*last) return false;
  __threadfence();
  if (threadIdx.x == 0) *counted = 0;
  return true;
}

template <int threads, int count, typename T>
__device__ __forceinline__ void add_part(const T* part, T (&sum)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) sum[i] += __ldcg(part + i * threads);
}

}  // namespace sextant::matmul
