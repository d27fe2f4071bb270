// Adds the machine's GPUs to the description of the environment (machine/environment.hpp).
#pragma once

#include "machine/environment.hpp"

namespace sextant {

// Return versions such as "13.0": the CUDA run time of this build, and the newest one that the driver
// supports. Empty without CUDA or without a driver.
std::string cuda_runtime_version();
std::string cuda_driver_version();

// Returns the GPUs among the first `gpus` whose memory GPU `index` can access: "1,2,3" or "none".
std::string peers_of_gpu(int index, int gpus);

// Returns "" if the current GPU can run this build's kernels. Otherwise returns why not, usually because they
// were compiled for other architectures.
std::string gpu_code_obstacle();

// Adds the keys cuda, cuda.driver, cuda.code, gpus, gpus.missing, driver*, nvml.missing and gpu<i>.*, which
// read_environment describes.
void describe_gpus(Environment* environment);

}  // namespace sextant
