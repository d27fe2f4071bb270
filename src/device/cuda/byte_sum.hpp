// Computes the checksum of toolbox/byte_sum.hpp over GPU memory, on the GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace sextant {

// Works in the CUDA context that is current. `memory` must be aligned to 8 bytes and `bytes` must be a
// multiple of 8. Waits for the stream and returns CUDA's status.
class ByteSum {
 public:
  ByteSum() = default;
  ByteSum(const ByteSum&) = delete;
  ByteSum& operator=(const ByteSum&) = delete;
  ~ByteSum();

  cudaError_t of(const void* memory, std::size_t bytes, cudaStream_t stream, std::uint64_t* sum);

 private:
  void* sum_ = nullptr;  // the sum, in GPU memory
};

}  // namespace sextant
