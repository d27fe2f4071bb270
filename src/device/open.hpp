// Functions that open a device, one for each kind of device. A build without a programming model uses a stub
// instead (device/absent).
#pragma once

#include "device/device.hpp"

namespace sextant {

std::unique_ptr<Device> open_host_device();
std::unique_ptr<Device> open_cuda_device(int index, std::string* why_not);
std::unique_ptr<Device> open_openacc_device(int index, std::string* why_not);
std::unique_ptr<Device> open_target_device(int index, std::string* why_not);

// Returns the number of NVIDIA GPUs that the OpenACC run time sees, or -1 if OpenACC is not in this build.
// Call it after CUDA was initialized.
int openacc_gpu_count();
// Returns the number of GPUs to which OpenMP offloading can offload, or -1 if it is not in this build. Call
// it after CUDA was initialized.
int target_gpu_count();

}  // namespace sextant
