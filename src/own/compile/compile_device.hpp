// Compiles CUDA variants of user kernels with NVRTC or nvcc: one cubin for each type and combination of
// macros.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "own/compile/compile.hpp"

namespace sextant::own {

struct DeviceImage {
  std::string path;                  // path of the cubin; empty if there is none
  std::string problem;               // the compiler's first error
  std::vector<std::string> kernels;  // mangled names of the steps' kernels
  std::vector<std::string> symbols;  // mangled names of DescribedVariant::constants, in order
};

// Returns why NVRTC cannot be used, or an empty text.
std::string why_no_nvrtc();
// Returns true if an image's problem is a missing compiler.
bool lacks_compiler(const std::string& problem);

// Compiles those instances that are not in the cache, for the architecture `arch` ("sm_90"). Each compilation
// runs in a separate process with a limit of 30 seconds, so a crash or hang of the compiler affects only one
// image. At most `workers` processes run at once. The result reports arguments that do not match the
// functions' parameters.
std::vector<DeviceImage> compile_device(std::span<const Instance> instances, const std::string& arch,
                                        int workers);

// Returns the source text that is passed to the compiler.
std::string device_source(const Instance& instance);

// Returns why a function with parameters of `sizes` bytes does not match the step's arguments, or an empty
// text.
std::string why_no_fit(const Instance& instance, const DescribedStep& step, const std::vector<int>& sizes);

// Returns the size of an argument in bytes.
int argument_size(const DescribedArgument& argument, ElementType type);

}  // namespace sextant::own
