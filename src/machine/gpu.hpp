// The GPUs' part of the environment.
#pragma once

#include "machine/environment.hpp"

namespace sextant {

// "13.0" of this build's CUDA run time and of the newest that the driver serves; empty without CUDA or a
// driver.
std::string cuda_runtime_version();
std::string cuda_driver_version();

// Of `gpus` GPUs those whose memory code on GPU `index` can reach: "1,2,3"; "none".
std::string peers_of_gpu(int index, int gpus);

// Why the current GPU cannot run this build's kernels (built for other architectures), or "".
std::string gpu_code_obstacle();

// Adds cuda, cuda.driver, cuda.code, gpus, gpus.missing and gpu<i>.*: see read_environment.
void describe_gpus(Environment* environment);

}  // namespace sextant
