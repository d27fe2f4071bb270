// What the current device has, for plans and launches.
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// An attribute of the current device, or `otherwise` where there is none: plans are made without a GPU, too.
// For once a call, not once a step.
inline int device_attribute(cudaDeviceAttr attribute, int otherwise) {
  int device = 0, value = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
                 cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess
             ? value
             : otherwise;
}

// Without a device: those of an H200, on which the tunings were measured (NVIDIA H200 data sheet).
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount, 132); }

// The major number of the current device's compute capability; 0 without one.
inline int compute_capability() { return device_attribute(cudaDevAttrComputeCapabilityMajor, 0); }

}  // namespace sextant
