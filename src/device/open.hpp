// One open function per kind of device. Each is in a separate file, which a build without that model replaces
// by a stub.
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
// The same for OpenMP offloading.
int target_gpu_count();

}  // namespace sextant
