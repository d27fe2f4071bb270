// Writes the folder of `sextant new NAME`.
#pragma once

#include <string>

namespace sextant {

// Creates the folder `path`, whose last part is the kernel's name. It contains the example of CONTRIBUTING.md
// under that name and a CMakeLists.txt. Throws UserError if the folder exists or the name is invalid.
void write_kernel_folder(const std::string& path);

}  // namespace sextant
