#include "device/cuda/missing_gpu.hpp"

namespace sextant {

std::string cuda_release(int version) {
  return version > 0 ? std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) : "";
}

std::string why_no_gpu(cudaError_t status) {
  cudaGetLastError();
  if (status == cudaSuccess) return "CUDA sees no GPU";
  if (status != cudaErrorInsufficientDriver) return cudaGetErrorString(status);
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "no NVIDIA driver is loaded";
  return "the driver supports CUDA " + cuda_release(driver) + ", this build needs " +
         cuda_release(CUDART_VERSION);
}

}  // namespace sextant
