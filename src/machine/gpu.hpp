// The part of the environment that describes the GPUs.
#pragma once

#include "machine/environment.hpp"

namespace sextant {

// Versions like "13.0": of this build's CUDA run time, and the newest that the driver supports. Empty without
// CUDA or without a driver.
std::string cuda_runtime_version();
std::string cuda_driver_version();

// Returns the GPUs among the first `gpus` whose memory GPU `index` can access: "1,2,3" or "none".
std::string peers_of_gpu(int index, int gpus);

// Returns why the current GPU cannot run this build's kernels (compiled for other architectures), or "".
std::string gpu_code_obstacle();

// Adds cuda, cuda.driver, cuda.code, gpus, gpus.missing, driver*, nvml.missing and gpu<i>.*: see
// read_environment.
void describe_gpus(Environment* environment);

}  // namespace sextant
