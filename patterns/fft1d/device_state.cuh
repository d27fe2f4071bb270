// Device memory that holds the twiddle factors, followed by a workspace.
#pragma once

#include <cuda_runtime.h>

#include "factors.hpp"

namespace sextant::fft1d {

// Allocates `bytes` of device memory as a variant's state and copies the twiddle factors to its start.
inline const char* prepare_factors(const Call& call, std::int64_t bytes, void** state) {
  void* factors = allocate_with_factors(call.problem, 0);
  if (!factors) return "no host memory for the twiddle factors";
  const std::size_t count =
      static_cast<std::size_t>(2 * length_of(call.problem)) * element_size(call.problem.type);
  cudaError_t error = cudaMalloc(state, static_cast<std::size_t>(bytes));
  if (error == cudaSuccess) error = cudaMemcpy(*state, factors, count, cudaMemcpyHostToDevice);
  std::free(factors);
  if (error == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the twiddle factors and the workspace";
}

// Returns why a state could not be made. `lacking` says which feature of kernels this GPU lacks.
inline const char* why_not_made(cudaError_t error, const char* lacking) {
  if (error == cudaErrorMemoryAllocation)
    return "no device memory for the twiddle factors or the progress counters";
  const bool lacks =
      error == cudaSuccess || error == cudaErrorInvalidValue || error == cudaErrorInvalidClusterSize;
  return lacks ? lacking : cudaGetErrorString(error);
}

inline std::int64_t factor_bytes(const Problem& problem, const int*) {
  return 2 * length_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

}  // namespace sextant::fft1d
