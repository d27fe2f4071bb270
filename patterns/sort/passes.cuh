// Helpers of the GPU radix sorts: the arrays of each pass, and the digit counts.
#pragma once

#include "tile.cuh"

namespace sextant::sort {

// The arrays that a pass reads and writes. Pointers to values are null if there are no values.
template <typename T>
struct Pass {
  const T* keys;
  T* sorted;
  const std::int32_t* values;
  std::int32_t* sorted_values;
};

// Returns the arrays of pass `pass` out of `passes`. The first pass reads the inputs and the last one writes
// the outputs. The passes between them alternate between the outputs and `other`, which has room for all
// keys, followed by all values.
template <typename T>
Pass<T> pass_of(const Call& call, int pass, int passes, T* other) {
  const Pointers<T> ends(call);
  const bool pairs = has_values(call.problem);
  auto* other_values = pairs ? reinterpret_cast<std::int32_t*>(other + call.problem.extents.x) : nullptr;
  const bool to_ends = (passes - 1 - pass) % 2 == 0;
  return {pass == 0 ? ends.keys
          : to_ends ? other
                    : ends.sorted,
          to_ends ? ends.sorted : other,
          pass == 0 ? ends.values
          : to_ends ? other_values
                    : ends.sorted_values,
          to_ends ? ends.sorted_values : other_values};
}

// Size of the array `other` of pass_of, in bytes.
inline std::int64_t bytes_of_other(const Problem& problem) {
  return problem.extents.x *
         (static_cast<std::int64_t>(element_size(problem.type)) + (has_values(problem) ? 4 : 0));
}

inline constexpr int counting_block = 1024, byte_values = 256;

// maximum number of tables per block; they take 128 KiB of shared memory
template <typename T>
inline constexpr int most_tables = 128 / sizeof(T);

// Adds to counts[digit][value] the number of keys with that value of the 8-bit digit. A block counts in
// `tables` copies of the table, in different shared-memory banks; each lane uses one of them.
template <int tables, typename T>
__global__ void __launch_bounds__(counting_block)
    count_digits(std::int64_t n, const T* __restrict__ keys, int* counts) {
  constexpr int digits = sizeof(T), width = vector_length<T>, under_way = 4;
  constexpr int words = digits * byte_values * tables;
  extern __shared__ int shared_counts[];
  for (int w = static_cast<int>(threadIdx.x); w < words; w += counting_block) shared_counts[w] = 0;
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x) % tables;
  const auto count = [&](T key) {
    const Bits<T> bits = ordered(key);
#pragma unroll
    for (int d = 0; d < digits; ++d)
      atomicAdd(&shared_counts[(d * byte_values + digit_of<8>(bits, 8 * d)) * tables + mine], 1);
  };
  const std::int64_t vectors = n / width, threads = static_cast<std::int64_t>(gridDim.x) * counting_block;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * counting_block + threadIdx.x;
  for (std::int64_t v = thread; v < vectors; v += under_way * threads) {
    Vector<T, width> some[under_way];
#pragma unroll
    for (int u = 0; u < under_way; ++u)
      if (v + u * threads < vectors) some[u] = load<width>(keys + (v + u * threads) * width);
#pragma unroll
    for (int u = 0; u < under_way; ++u)
      if (v + u * threads < vectors)
#pragma unroll
        for (int e = 0; e < width; ++e) count(some[u][e]);
  }
  if (thread < n - vectors * width) count(keys[vectors * width + thread]);
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < digits * byte_values; b += counting_block) {
    int sum = 0;
#pragma unroll
    for (int t = 0; t < tables; ++t) sum += shared_counts[b * tables + (b + t) % tables];
    if (sum != 0) atomicAdd(&counts[b], sum);
  }
}

}  // namespace sextant::sort
