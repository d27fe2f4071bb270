// Reads the cycle counters of a GPU's multiprocessors by a kernel.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "device/device.hpp"

namespace sextant {

class CycleCounter {
 public:
  CycleCounter() = default;
  CycleCounter(const CycleCounter&) = delete;
  CycleCounter& operator=(const CycleCounter&) = delete;
  ~CycleCounter();

  void set_multiprocessors(int count) { multiprocessors_ = count; }

  // Stores a reading of each multiprocessor that runs a block of the kernel, and waits for the kernel.
  cudaError_t read(cudaStream_t stream, std::vector<CycleCount>* counts);

 private:
  int multiprocessors_ = 0;
  void* readings_ = nullptr;  // page-locked host memory to which the kernel writes
};

}  // namespace sextant
