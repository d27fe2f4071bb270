// Coefficients in constant memory, to where each launch copies them first, as they are data.
#pragma once

#include "share.cuh"

namespace sextant::horner {

static __constant__ double constant_coefficients[4097];

template <typename T>
static __device__ __forceinline__ T coefficient(int k) {
  return reinterpret_cast<const T*>(constant_coefficients)[k];
}

template <typename T>
static void copy_coefficients(const Call& call) {
  cudaMemcpyToSymbolAsync(constant_coefficients, call.arrays[0],
                          static_cast<std::size_t>(degree_of(call.problem) + 1) * sizeof(T), 0,
                          cudaMemcpyDeviceToDevice, stream_of(call));
}

}  // namespace sextant::horner
