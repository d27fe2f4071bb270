// Copies between pageable host memory and the GPU, where nothing is timed: by way of page-locked memory, in
// pieces, which all threads move to or from where they belong while the next piece crosses the bus.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace sextant {

// In the current context, whose GPU it is of. Where there is no page-locked memory left, and for few bytes,
// the driver's own staging serves. Calls return CUDA's status, and have copied once they return.
class Staging {
 public:
  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  cudaError_t to_device(void* device, const void* host, std::size_t bytes);
  cudaError_t to_host(void* host, const void* device, std::size_t bytes);

  static constexpr std::size_t piece_bytes = std::size_t{8} << 20;  // long beside what starting threads takes
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
