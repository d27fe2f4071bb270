// Lets threads of gather and scatter have several loads in flight. Each thread handles packs of four
// consecutive elements. Neighbouring threads have neighbouring packs.
#pragma once

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::places {

inline constexpr int pack = 4;  // a 16-byte pack holds this many indices

using Packs = Choices<1, 2, 4>;
using Blocks = Choices<128, 256, 512>;

struct Shape {
  int block_size = 256, vectors_per_thread = 2;
};

inline Variant packs_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"vectors_per_thread", &Shape::vectors_per_thread, Packs::list()}});
  return variant;
}

// Memory accesses without cache hints.
struct Plain {
  template <typename V>
  static __device__ __forceinline__ V stream_in(const V* from) {
    return *from;
  }
  template <typename T>
  static __device__ __forceinline__ T pick(const T* from) {
    return *from;
  }
  template <typename V>
  static __device__ __forceinline__ void stream_out(V* to, V value) {
    *to = value;
  }
};

// Memory accesses with cache hints. Data accessed in order are evicted first. Randomly read elements bypass
// the L1 cache, because they are not reused there.
struct Hinted {
  template <typename V>
  static __device__ __forceinline__ V stream_in(const V* from) {
    return __ldcs(from);
  }
  static __device__ __forceinline__ float pick(const float* from) {
    float value;
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
    return value;
  }
  static __device__ __forceinline__ double pick(const double* from) {
    double value;
    asm("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(value) : "l"(from));
    return value;
  }
  template <typename V>
  static __device__ __forceinline__ void stream_out(V* to, V value) {
    __stcs(to, value);
  }
};

// Four consecutive elements, aligned to 16 bytes.
template <typename T>
struct alignas(16) Four {
  T values[pack];
};

template <typename How, typename T>
__device__ __forceinline__ Four<T> read_four(const T* from) {
  Four<T> four;
#pragma unroll
  for (int w = 0; w < static_cast<int>(sizeof(four) / sizeof(uint4)); ++w)
    reinterpret_cast<uint4*>(&four)[w] = How::stream_in(reinterpret_cast<const uint4*>(from) + w);
  return four;
}

template <typename How, typename T>
__device__ __forceinline__ void write_four(T* to, const Four<T>& four) {
#pragma unroll
  for (int w = 0; w < static_cast<int>(sizeof(four) / sizeof(uint4)); ++w)
    How::stream_out(reinterpret_cast<uint4*>(to) + w, reinterpret_cast<const uint4*>(&four)[w]);
}

// Index of the first element of the calling thread's pack number r.
__device__ __forceinline__ std::int64_t pack_begin(int packs, int r) {
  return (static_cast<std::int64_t>(blockIdx.x) * packs * blockDim.x + r * blockDim.x + threadIdx.x) * pack;
}

// Returns from[i] to from[i + 3], with 0 for indices of n or more.
template <typename How, typename T>
__device__ __forceinline__ Four<T> read_part(const T* from, std::int64_t i, std::int64_t n) {
  if (i + pack <= n) return read_four<How>(from + i);
  Four<T> four;
#pragma unroll
  for (int k = 0; k < pack; ++k) four.values[k] = i + k < n ? from[i + k] : T(0);
  return four;
}

}  // namespace sextant::places
