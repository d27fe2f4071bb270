// Helpers for measuring a GPU's ceilings: status checks, device memory, and timing by CUDA events.
#pragma once

#include <cuda_runtime_api.h>

#include "device/device.hpp"
#include "machine/ceilings/detail.hpp"

namespace sextant::gpu {

inline void require(cudaError_t status) {
  if (status != cudaSuccess)
    throw DeviceError(std::string("measuring the GPU's ceilings: ") + cudaGetErrorString(status));
}

// Device memory, freed in the destructor.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) { require(cudaMalloc(&data_, bytes)); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  template <typename T>
  T* as(std::size_t byte_offset = 0) const {
    return reinterpret_cast<T*>(static_cast<char*>(data_) + byte_offset);
  }

 private:
  void* data_ = nullptr;
};

// Measures the seconds of the work that `launch()` puts on the default stream, between two CUDA events. The
// host sleeps until the second event.
class Timer {
 public:
  Timer() {
    require(cudaEventCreateWithFlags(&start_, cudaEventBlockingSync));
    require(cudaEventCreateWithFlags(&stop_, cudaEventBlockingSync));
  }
  ~Timer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  template <typename Launch>
  double once(const Launch& launch) const {
    require(cudaEventRecord(start_));
    launch();
    require(cudaGetLastError());
    wait();
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds * 1e-3;
  }

  // Waits for all work on the default stream.
  void wait() const {
    require(cudaEventRecord(stop_));
    require(cudaEventSynchronize(stop_));
  }

  template <typename Launch>
  double median(int samples, const Launch& launch) const {
    once(launch);  // warm-up
    std::vector<double> times;
    for (int sample = 0; sample < samples; ++sample) times.push_back(once(launch));
    return median_of(times);
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

inline cudaDeviceProp properties() {
  int device = 0;
  cudaDeviceProp found;
  require(cudaGetDevice(&device));
  require(cudaGetDeviceProperties(&found, device));
  return found;
}

}  // namespace sextant::gpu
