#include "own/kernel/cuda/driver.hpp"

#include <algorithm>
#include <mutex>

#include "base/intern.hpp"
#include "device/device.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

// The error of the first failed launch since the last call of last_refusal().
const char* refused = nullptr;

const char* last_refusal() {
  const char* text = refused;
  refused = nullptr;
  return text;
}

}  // namespace

Driver::Driver() : library({"libcuda.so.1"}, "the NVIDIA driver") {
  library.find("cuInit", &init);
  library.find("cuDeviceGet", &device);
  library.find("cuCtxGetCurrent", &current);
  library.find("cuCtxGetDevice", &current_device);
  library.find("cuDeviceGetAttribute", &attribute);
  library.find("cuModuleLoadData", &load);
  library.find("cuModuleUnload", &unload);
  library.find("cuModuleGetFunction", &function);
  library.find("cuModuleGetGlobal_v2", &global);
  library.find("cuMemcpyDtoD_v2", &copy);
  library.find("cuFuncGetAttribute", &get_attribute);
  library.find("cuFuncSetAttribute", &set_attribute);
  library.find("cuLaunchKernel", &launch);
  library.find("cuMemAlloc_v2", &allocate);
  library.find("cuMemFree_v2", &free);
  library.find("cuMemsetD8_v2", &set_bytes);
  library.find("cuGetErrorString", &error_string);
  library.find("cuMemcpyDtoH_v2", &copy_to_host);
  library.find("cuEventCreate", &make_event);
  library.find("cuEventDestroy_v2", &destroy_event);
  library.find("cuEventRecord", &record);
  library.find("cuStreamWaitEvent", &wait);
}

std::string Driver::text(CUresult error) const {
  const char* words = nullptr;
  error_string(error, &words);
  return words ? words : "error " + std::to_string(static_cast<int>(error));
}

const Driver& driver() {
  static const Driver functions;
  return functions;
}

void note_failed_launch(const std::string& text) {
  if (!refused) refused = intern(text);
}

void report_failed_launches() {
  static std::once_flag once;
  std::call_once(once, [] { ask_for_gpu_errors(last_refusal); });
}

std::string allocate(const std::vector<Temporary>& wanted, std::vector<CUdeviceptr>* temporaries,
                     std::vector<void*>* arrays) {
  for (const Temporary& one : wanted) {
    const std::size_t bytes = static_cast<std::size_t>(one.elements) * element_size(one.type);
    CUdeviceptr place = 0;
    if (const CUresult error = driver().allocate(&place, std::max<std::size_t>(bytes, 1));
        error != CUDA_SUCCESS)
      return "temporary arrays of " + std::to_string(bytes) + " bytes: " + driver().text(error);
    temporaries->push_back(place);
    arrays->push_back(reinterpret_cast<void*>(place));
    driver().set_bytes(place, 0xFF, bytes);
  }
  return "";
}

}  // namespace sextant::own
