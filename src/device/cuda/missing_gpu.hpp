// Why CUDA gives no GPU, in words of the machine's: a driver that is not there, or too old for this build.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace sextant {

// "13.0" of CUDA's 1000 * major + 10 * minor; empty for 0, which says of the driver that there is none.
std::string cuda_release(int version);

// Of the status of a count of GPUs that found none. Forgets CUDA's last error.
std::string why_no_gpu(cudaError_t status);

}  // namespace sextant
