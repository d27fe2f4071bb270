// What a cubin says of its kernels.
#pragma once

#include <string>
#include <vector>

namespace sextant::own {

// The bytes of each parameter of `kernel` (its name in the image), in order; empty if the image has no such
// kernel or cannot be read. Source: section .nv.info.<kernel>, attribute 0x17 (KPARAM_INFO).
std::vector<int> parameter_sizes(const std::string& cubin, const std::string& kernel);

// The names of its kernels, in the order of its sections; empty if it cannot be read.
std::vector<std::string> kernels_of(const std::string& cubin);

}  // namespace sextant::own
