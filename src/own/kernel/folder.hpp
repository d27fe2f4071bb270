// Folders of kernels with a CMakeLists.txt that calls sextant_add_kernels.
#pragma once

#include <string>

namespace sextant::own {

// The library that the folder's build makes in <folder>/.sextant, brought up to date first: configured once,
// then only what changed is compiled. Throws UserError with what CMake or the compiler said where that fails.
std::string built_library(const std::string& folder);

}  // namespace sextant::own
