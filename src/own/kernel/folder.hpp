// Builds kernel folders with a CMakeLists.txt that calls sextant_add_kernels.
#pragma once

#include <string>

namespace sextant::own {

// Builds the folder in <folder>/.sextant and returns the path of its library. It configures once and then
// compiles only changes. Throws UserError with the output of CMake or the compiler if that fails.
std::string built_library(const std::string& folder);

}  // namespace sextant::own
