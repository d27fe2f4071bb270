// What the CUDA forms share: some maps on vectors of 16 bytes in registers, and launches of one map each.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::map_chain {

// Maps first … first + count - 1 on `length` elements. A multiply-add each: of a product less a number the compiler makes two instructions.
template <typename T, int length>
__device__ __forceinline__ void apply_in_registers(std::int64_t first, std::int64_t count,
                                                   Vector<T, length>& x, Vector<T, length>& y) {
  if (first % 2 != 0)
#pragma unroll
    for (int k = 0; k < length; ++k) x[k] = -x[k];
  const auto pairs = static_cast<int>(count / 2);
#pragma unroll 10
  for (int p = 0; p < pairs; ++p)
#pragma unroll
    for (int k = 0; k < length; ++k) {
      const T once = fma(T(0.5), y[k], x[k]);
      y[k] = fma(T(0.5), once, -x[k]);
    }
  if (count % 2 != 0)
#pragma unroll
    for (int k = 0; k < length; ++k) y[k] = fma(T(0.5), y[k], x[k]);
}

// Vector v of the arrays, or what is left behind the last whole one; y may be `from`.
template <typename T>
__device__ __forceinline__ void map_vector(std::int64_t n, std::int64_t v, std::int64_t first,
                                           std::int64_t count, const T* x, const T* from, T* y) {
  constexpr int length = vector_length<T>;
  const std::int64_t i = v * length;
  if (i + length <= n) {
    Vector<T, length> a = load<length>(x + i), b = load<length>(from + i);
    apply_in_registers(first, count, a, b);
    *reinterpret_cast<Vector<T, length>*>(y + i) = b;
  } else {
    for (std::int64_t k = i; k < n; ++k) {
      Vector<T, 1> a{{x[k]}}, b{{from[k]}};
      apply_in_registers(first, count, a, b);
      y[k] = b[0];
    }
  }
}

template <typename T>
std::int64_t vectors_of(const Problem& problem) {
  return (problem.extents.x + vector_length<T> - 1) / vector_length<T>;
}

template <typename T>
__global__ void map_all(std::int64_t n, std::int64_t t, const T* x, const T* from, T* y) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v * vector_length<T> < n) map_vector(n, v, t, 1, x, from, y);
}

// Begins while the map before ends; x does not depend on earlier maps, so it is read before the wait for them.
template <typename T>
__global__ void map_dependent(std::int64_t n, std::int64_t t, const T* x, const T* from, T* y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  constexpr int length = vector_length<T>;
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * length;
  const bool whole = i + length <= n;
  Vector<T, length> a{};
  if (whole) a = load<length>(x + i);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  if (whole) {
    Vector<T, length> b = load<length>(from + i);
    apply_in_registers(t, 1, a, b);
    *reinterpret_cast<Vector<T, length>*>(y + i) = b;
  } else if (i < n) {
    map_vector(n, i / length, t, 1, x, from, y);
  }
}

// A launch a map; `dependent`: each may begin before the one before has ended.
template <typename T>
void launch_maps(const Call& call, int block, bool dependent) {
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(2);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks_for(vectors_of<T>(call.problem), block));
  config.blockDim = dim3(static_cast<unsigned>(block));
  config.stream = stream_of(call);
  config.attrs = &attribute;
  for (std::int64_t t = 0; t < steps_of(call.problem); ++t) {
    config.numAttrs = dependent && t > 0 ? 1 : 0;  // the first waits for whatever was launched before
    const T* from = t == 0 ? call.array<const T>(1) : y;
    cudaLaunchKernelEx(&config, dependent ? map_dependent<T> : map_all<T>, call.problem.extents.x, t, x, from,
                       y);
  }
}

inline const char* lacks_dependent_launches() {
  int device = 0, major = 9;
  if (cudaGetDevice(&device) == cudaSuccess)
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  return major < 9 ? "launches that depend on each other by program need compute capability 9.0" : nullptr;
}

using Blocks = Choices<64, 128, 256, 512, 1024>;

struct Block {
  int block_size = 256;
};

inline Variant maps_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Blocks::list()}});
  return variant;
}

}  // namespace sextant::map_chain
