// Programmatic dependent launch: a kernel starts while the previous one ends.
#pragma once

#include <cuda_runtime.h>

#include "toolbox/cuda/attributes.cuh"

namespace sextant {

// Allows the next launch of the stream to start.
__device__ __forceinline__ void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Allows the next launch to start, and waits until all writes of the previous launch are visible (CUDA C++
// Programming Guide, programmatic dependent launch; compute capability 9.0 or later).
__device__ __forceinline__ void wait_for_last_launch() {
  let_next_launch_begin();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Returns whether the tunable `overlap` is on and the device supports it.
inline bool may_overlap(int overlap) { return overlap != 0 && compute_capability() >= 9; }

// Launches a kernel that calls wait_for_last_launch. If `overlap` is true, the kernel may start before the
// stream's previous launch has ended.
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
