// Functions that the CUDA variants use in `prepare` to build data structures on the device.
#pragma once

#include <vector>

#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::mesh {

// Copies the indices of the edges' end vertices from the device. The result is empty if the copy fails.
inline std::vector<std::int32_t> ends_from_gpu(const Call& call) {
  std::vector<std::int32_t> ends(static_cast<std::size_t>(2 * edges_of(call.problem)));
  if (cudaMemcpyAsync(ends.data(), call.address(0), 4 * ends.size(), cudaMemcpyDeviceToHost,
                      stream_of(call)) != cudaSuccess ||
      cudaStreamSynchronize(stream_of(call)) != cudaSuccess)
    ends.clear();
  return ends;
}

// Owns a block of device memory.
class Block {
 public:
  Block() = default;
  ~Block() { cudaFree(memory_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  template <typename T>
  bool copy(const std::vector<T>& values) {
    const std::size_t bytes = values.size() * sizeof(T);
    if (cudaMalloc(&memory_, bytes) == cudaSuccess &&
        cudaMemcpy(memory_, values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess)
      return true;
    cudaGetLastError();  // clear the error, so that a later check does not report it
    return false;
  }
  template <typename T>
  const T* as() const {
    return static_cast<const T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

inline constexpr const char* no_ends = "copying the edges' ends from the device failed";

}  // namespace sextant::mesh
