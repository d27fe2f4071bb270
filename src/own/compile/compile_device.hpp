// CUDA variants: one cubin for each type and combination of macros, by NVRTC or nvcc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "own/compile/compile.hpp"

namespace sextant::own {

struct DeviceImage {
  std::string path;                  // of the cubin; empty: there is none, and
  std::string problem;               // why: the compiler's first error
  std::vector<std::string> kernels;  // the steps' names in the cubin
  std::vector<std::string> symbols;  // those of DescribedVariant::constants there, in order
};

// Why NVRTC cannot be used here, or empty.
std::string why_no_nvrtc();
// Whether an image's problem is that its compiler is not there.
bool lacks_compiler(const std::string& problem);

// Compiles for `arch` ("sm_90") what is not in the cache, each in a process of its own that may take 30
// seconds, at most `workers` of them at once. A compiler that crashes or hangs costs its own image alone. The
// functions' parameters are held against the arguments.
std::vector<DeviceImage> compile_device(std::span<const Instance> instances, const std::string& arch,
                                        int workers);

// The source that the compiler gets.
std::string device_source(const Instance& instance);

// "" or how a function of parameters of `sizes` bytes does not fit the step's arguments.
std::string why_no_fit(const Instance& instance, const DescribedStep& step, const std::vector<int>& sizes);

// The bytes that an argument has.
int argument_size(const DescribedArgument& argument, ElementType type);

}  // namespace sextant::own
