// Describes the GPUs of the machine; the environment (machine/environment.hpp) contains the result.
#pragma once

#include "machine/environment.hpp"

namespace sextant {

// Return the version of this build's CUDA run time, and the newest version that the driver supports, like
// "13.0". Empty without CUDA or without a driver.
std::string cuda_runtime_version();
std::string cuda_driver_version();

// Returns the GPUs among the first `gpus` whose memory GPU `index` can access: "1,2,3" or "none".
std::string peers_of_gpu(int index, int gpus);

// Returns "", or the reason why the current GPU cannot run this build's kernels (they were compiled for other
// architectures).
std::string gpu_code_obstacle();

// Adds the keys cuda, cuda.driver, cuda.code, gpus, gpus.missing, driver*, nvml.missing and gpu<i>.*, which
// read_environment describes.
void describe_gpus(Environment* environment);

}  // namespace sextant
