// Explains why CUDA finds no GPU, for example because the driver is missing, or too old for this build.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace sextant {

// Formats CUDA's 1000 * major + 10 * minor as "13.0". Returns "" for 0, the version if there is no driver.
std::string cuda_release(int version);

// Explains the status of a failed cudaGetDeviceCount. Clears CUDA's last error.
std::string why_no_gpu(cudaError_t status);

}  // namespace sextant
