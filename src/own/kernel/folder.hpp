// Builds folders of user kernels that contain a CMakeLists.txt with a call of sextant_add_kernels.
#pragma once

#include <string>

namespace sextant::own {

// Builds the folder in <folder>/.sextant and returns the path of its library. The first call configures the
// build; later calls compile only what has changed. Throws UserError with the output of CMake or the compiler
// if that fails.
std::string built_library(const std::string& folder);

}  // namespace sextant::own
