// The makers behind open_device; one file each, so that a build without a model leaves that file's other half
// in.
#pragma once

#include "device/device.hpp"

namespace sextant {

std::unique_ptr<Device> open_host_device();
std::unique_ptr<Device> open_cuda_device(int index, std::string* why_not);
std::unique_ptr<Device> open_openacc_device(int index, std::string* why_not);
std::unique_ptr<Device> open_target_device(int index, std::string* why_not);

// NVIDIA GPUs that the OpenACC run time sees; -1 if OpenACC is not in this build. Ask after CUDA was
// initialised.
int openacc_gpu_count();
// The same of OpenMP's offloading.
int target_gpu_count();

}  // namespace sextant
