// Device memory that a variant keeps between launches.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace sextant {

// Device memory, freed in the destructor.
template <typename T>
struct DeviceMemory {
  T* data = nullptr;
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data); }
  bool allocate(std::int64_t count) {
    if (cudaMalloc(&data, static_cast<std::size_t>(count) * sizeof(T)) == cudaSuccess) return true;
    cudaGetLastError();  // clears the error, so that no later check reports it
    return false;
  }
};

}  // namespace sextant
