// Reads the kernels in a cubin and their parameter sizes.
#pragma once

#include <string>
#include <vector>

namespace sextant::own {

// Returns the bytes of each parameter of `kernel` (its name in the image), in order. Empty if there is no
// such kernel or the image cannot be read. Source: section .nv.info.<kernel>, attribute 0x17 (KPARAM_INFO).
std::vector<int> parameter_sizes(const std::string& cubin, const std::string& kernel);

// Returns the names of the kernels, in the order of the sections. Empty if the image cannot be read.
std::vector<std::string> kernels_of(const std::string& cubin);

}  // namespace sextant::own
