// Copies data between pageable host memory and the GPU by double buffering, for transfers that are not timed.
// While the bus transfers one page-locked buffer, all host threads fill or empty the other one.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace sextant {

// Works in the CUDA context that is current. Small copies use cudaMemcpy, and so do all copies if page-locked
// memory is not available. The functions return CUDA's status after the copy is complete.
class Staging {
 public:
  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  cudaError_t to_device(void* device, const void* host, std::size_t bytes);
  cudaError_t to_host(void* host, const void* device, std::size_t bytes);

  // Size of a buffer, and of the smallest copy that uses the buffers.
  static constexpr std::size_t piece_bytes = std::size_t{8} << 20;
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;

 private:
  struct Piece {
    void* memory = nullptr;
    cudaEvent_t crossed = nullptr;
  };

  bool is_ready();

  bool tried_ = false;
  cudaStream_t stream_ = nullptr;
  std::array<Piece, 2> pieces_;
};

}  // namespace sextant
