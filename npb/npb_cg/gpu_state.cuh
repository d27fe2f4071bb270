// Device memory for the CUDA variants of npb_cg.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "matrix.hpp"

namespace sextant::npb_cg {
namespace {

// Device memory that is freed by the destructor.
template <typename T>
struct DeviceMemory {
  T* data = nullptr;
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data); }
  bool allocate(std::int64_t count) {
    if (cudaMalloc(&data, static_cast<std::size_t>(count) * sizeof(T)) == cudaSuccess) return true;
    cudaGetLastError();  // clears the error, so that a later check does not report it
    return false;
  }
  bool fill(const T* from, std::int64_t count) {
    return allocate(count) && cudaMemcpy(data, from, static_cast<std::size_t>(count) * sizeof(T),
                                         cudaMemcpyHostToDevice) == cudaSuccess;
  }
  bool fill(const std::vector<T>& from) { return fill(from.data(), static_cast<std::int64_t>(from.size())); }
};

}  // namespace
}  // namespace sextant::npb_cg
