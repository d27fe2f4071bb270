// The sum of toolbox/byte_sum.hpp over memory of the GPU, made there.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace sextant {

// In the current context. `memory` begins at a multiple of 8 bytes, of which `bytes` is one, too. Returns
// CUDA's status; waits for the stream.
class ByteSum {
 public:
  ByteSum() = default;
  ByteSum(const ByteSum&) = delete;
  ByteSum& operator=(const ByteSum&) = delete;
  ~ByteSum();

  cudaError_t of(const void* memory, std::size_t bytes, cudaStream_t stream, std::uint64_t* sum);

 private:
  void* sum_ = nullptr;  // on the GPU
};

}  // namespace sextant
