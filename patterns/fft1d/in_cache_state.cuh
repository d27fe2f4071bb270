// The host's half of in_cache.cuh: what its blocks share, and launches.
#pragma once

#include "in_cache.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant::fft1d {

// Of launches on so many transforms.
class InCacheState {
 public:
  InCacheState() = default;
  ~InCacheState() { cudaFree(done_); }
  InCacheState(const InCacheState&) = delete;
  InCacheState& operator=(const InCacheState&) = delete;

  static std::int64_t bytes(std::int64_t batches) {
    return lookback::Tickets::bytes(1, sizeof(int)) + batches * static_cast<std::int64_t>(sizeof(unsigned));
  }

  // On the current device; allows the kernel what it needs, too.
  template <typename Plan, typename T>
  cudaError_t make(std::int64_t batches) {
    const std::size_t size = static_cast<std::size_t>(batches) * sizeof(unsigned);
    cudaError_t error =
        cudaFuncSetAttribute(transform_in_cache<Plan, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(sizeof(Room<Plan, T>)));
    if (error == cudaSuccess) error = tickets_.make(1, sizeof(int));
    if (error == cudaSuccess) error = cudaMalloc(&done_, size);
    return error == cudaSuccess ? cudaMemset(done_, 0, size) : error;
  }

  // A transform's second pass comes so many transforms behind its first that `between` blocks lie between, or 1. With `beside`, the launch
  // begins when all blocks of the one before have let it, and ends behind that one.
  template <typename Plan, typename T>
  void launch(int batches, int between, bool beside, cudaStream_t stream, const Complex<T>* x,
              const void* factors, Complex<T>* X) const {
    const int behind = std::max(between / (2 * Plan::parts), 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(batches + behind) * 2 * Plan::parts);
    config.blockDim = dim3(Plan::threads);
    config.dynamicSmemBytes = sizeof(Room<Plan, T>);
    config.stream = stream;
    launch_next(config, beside, transform_in_cache<Plan, T>, batches, behind, x,
                static_cast<const Complex<T>*>(factors), X, Progress{tickets_.board<int>(), done_});
  }

 private:
  lookback::Tickets tickets_;
  unsigned* done_ = nullptr;
};

}  // namespace sextant::fft1d
