// Whether the program has code for compute capability 9.0a, which variants with warp groups need.
#pragma once

#include "toolbox/cuda/attributes.cuh"
#include "wgmma.cuh"

namespace sextant::matmul {

template <int>
__global__ void say_warp_groups(int* answer) {
  *answer = have_warp_groups;
}

// Whether this build has code for warp groups that the device takes.
inline bool built_for_warp_groups() {
  int *on_device = nullptr, answer = 0;
  if (cudaMalloc(&on_device, sizeof answer) == cudaSuccess) {
    say_warp_groups<0><<<1, 1>>>(on_device);
    cudaMemcpy(&answer, on_device, sizeof answer, cudaMemcpyDeviceToHost);
  }
  cudaFree(on_device);
  cudaGetLastError();  // a refusal must not be found by a later check
  return answer == 1;
}

inline const char* warp_groups_unavailable() {
  if (device_attribute(cudaDevAttrComputeCapabilityMajor, 0) != 9)
    return "warp groups need compute capability 9.0, and no other has them";
  if (!built_for_warp_groups())
    return "the program was built without code for compute capability 9.0a; build with "
           "CMAKE_CUDA_ARCHITECTURES=90";
  return nullptr;
}

}  // namespace sextant::matmul
