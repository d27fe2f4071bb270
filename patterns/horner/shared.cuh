// Coefficients in shared memory, where a block brings them in the order of their use: c[d-1] first.
#pragma once

#include "share.cuh"

namespace sextant::horner {

inline constexpr int group = 8;  // coefficients that are read at once

// Horner's order: each step needs the one before.
struct OneByOne {
  template <int values, typename T>
  static __device__ __forceinline__ void steps(const T (&next)[group], Share<values, T>& share) {
#pragma unroll
    for (int k = 0; k < group; ++k) share.step(next[k]);
  }
};

// Estrin's: in pairs, pairs of pairs and so on, and one step in x^8 for all of them; as many multiplications and additions, and three
// squares.
struct ByPairs {
  template <int values, typename T>
  static __device__ __forceinline__ void steps(const T (&next)[group], Share<values, T>& share) {
#pragma unroll
    for (int v = 0; v < values; ++v) {
      const T x = share.place[v], x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
      const T high = (next[0] * x + next[1]) * x2 + (next[2] * x + next[3]),
              low = (next[4] * x + next[5]) * x2 + (next[6] * x + next[7]);
      share.sum[v] = share.sum[v] * x8 + (high * x4 + low);
    }
  }
};

template <int values, typename Order, typename T>
__global__ void __launch_bounds__(256) evaluate_shared(std::int64_t n, int degree, const T* __restrict__ c,
                                                       const T* __restrict__ x, T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* const ordered = reinterpret_cast<T*>(bytes);
  for (int k = static_cast<int>(threadIdx.x); k < degree; k += static_cast<int>(blockDim.x))
    ordered[k] = c[degree - 1 - k];
  Share<values, T> share;
  share.load(n, x);
  share.start(c[degree]);
  __syncthreads();
  int k = 0;
#pragma unroll 2
  for (; k + group <= degree; k += group) {
    T next[group];
#pragma unroll
    for (int g = 0; g < group; g += vector_length<T>) {
      const auto vector = load<vector_length<T>>(ordered + k + g);
#pragma unroll
      for (int e = 0; e < vector_length<T>; ++e) next[g + e] = vector[e];
    }
    Order::steps(next, share);
  }
  for (; k < degree; ++k) share.step(ordered[k]);
  share.store(n, y);
}

template <typename Order, typename T>
void launch_shared(const Call& call) {
  const int degree = static_cast<int>(degree_of(call.problem));
  with_shape(call, [&]<int values>(unsigned blocks, int threads) {
    evaluate_shared<values, Order>
        <<<blocks, threads, static_cast<std::size_t>(degree) * sizeof(T), stream_of(call)>>>(
            call.problem.extents.x, degree, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace sextant::horner
