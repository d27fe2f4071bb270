// Explains why CUDA finds no GPU. The driver may be missing, for example, or too old for this build.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace sextant {

// Formats CUDA's version number 1000 * major + 10 * minor as "13.0". Returns "" for 0, which CUDA reports if
// there is no driver.
std::string cuda_release(int version);

// Returns the reason why cudaGetDeviceCount failed with `status`. Clears CUDA's last error.
std::string why_no_gpu(cudaError_t status);

}  // namespace sextant
