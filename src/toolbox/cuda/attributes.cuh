// Attributes of the current device, for choosing launch parameters.
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// Returns an attribute of the current device, or `otherwise` if there is no device. Query it once per call,
// not once per time step.
inline int device_attribute(cudaDeviceAttr attribute, int otherwise) {
  int device = 0, value = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
                 cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess
             ? value
             : otherwise;
}

// Returns the number of multiprocessors, or that of an H200 if there is no device.
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount, 132); }

// Returns the major number of the current device's compute capability, or 0 without a device.
inline int compute_capability() { return device_attribute(cudaDevAttrComputeCapabilityMajor, 0); }

}  // namespace sextant
