// The functions of the CUDA driver that CUDA variants of user kernels call.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/dynamic_library.hpp"
#include "base/error.hpp"
#include "base/intern.hpp"
#include "own/kernel/step_plan.hpp"

namespace sextant::own {

// Each string in the constructor is the name that the driver exports, including its version suffix.
struct Driver {
  DynamicLibrary library;
  decltype(&cuInit) init;
  decltype(&cuDeviceGet) device;
  decltype(&cuCtxGetCurrent) current;
  decltype(&cuCtxGetDevice) current_device;
  decltype(&cuDeviceGetAttribute) attribute;
  decltype(&cuModuleLoadData) load;
  decltype(&cuModuleUnload) unload;
  decltype(&cuModuleGetFunction) function;
  decltype(&cuModuleGetGlobal) global;
  decltype(&cuMemcpyDtoD) copy;
  decltype(&cuMemcpyDtoH) copy_to_host;
  decltype(&cuFuncGetAttribute) get_attribute;
  decltype(&cuFuncSetAttribute) set_attribute;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuMemAlloc) allocate;
  decltype(&cuMemFree) free;
  decltype(&cuMemsetD8) set_bytes;
  decltype(&cuEventCreate) make_event;
  decltype(&cuEventDestroy) destroy_event;
  decltype(&cuEventRecord) record;
  decltype(&cuStreamWaitEvent) wait;
  decltype(&cuGetErrorString) error_string;

  Driver();
  std::string text(CUresult error) const;
};

const Driver& driver();

// Keeps the error of a failed launch until the device is synchronized, which reports the first one.
void note_failed_launch(const std::string& text);
// Makes the device report these errors.
void report_failed_launches();

// Allocates temporary arrays and fills them with NaN (integers with -1). Adds them to `temporaries`, and
// their addresses to `arrays`. Returns an error message, or an empty text.
std::string allocate(const std::vector<Temporary>& wanted, std::vector<CUdeviceptr>* temporaries,
                     std::vector<void*>* arrays);

// Makes a variant's state by `make`, which returns an error message or an empty text. Returns this message,
// or null. The destructor of State frees what it owns on the GPU.
template <typename State, typename Make>
const char* make_state(void** state, const Make& make) try {
  auto made = std::make_unique<State>();
  if (const std::string problem = make(made.get()); !problem.empty()) return intern(problem);
  *state = made.release();
  return nullptr;
} catch (const UserError& error) {
  return intern(error.what());
}

template <typename State>
void release_state(const void*, void* state) {
  delete static_cast<State*>(state);
}

}  // namespace sextant::own
