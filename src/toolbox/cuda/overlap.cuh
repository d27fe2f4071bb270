// Launches that begin while the one before ends.
#pragma once

#include <cuda_runtime.h>

#include "toolbox/cuda/attributes.cuh"

namespace sextant {

// Where launches overlap: the next one may start.
__device__ __forceinline__ void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Where launches overlap: the next one may start, and this one waits until all that the last one wrote is
// there (CUDA C++ Programming Guide, programmatic dependent launch; from compute capability 9.0 on).
__device__ __forceinline__ void wait_for_last_launch() {
  let_next_launch_begin();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Whether the tunable `overlap` is on and the device can do it.
inline bool may_overlap(int overlap) { return overlap != 0 && compute_capability() >= 9; }

// Launches a kernel that calls wait_for_last_launch; `overlap`: before the last one of the stream has
// ended.
template <typename... Parameters, typename... Arguments>
void launch_next(cudaLaunchConfig_t config, bool overlap, void (*kernel)(Parameters...),
                 Arguments... arguments) {
  cudaLaunchAttribute serialised = {};
  serialised.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  serialised.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &serialised;
  config.numAttrs = overlap ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace sextant
