// The folder that `sextant new NAME` writes.
#pragma once

#include <string>

namespace sextant {

// Writes a folder `path`, whose last part is the kernel's name, with the example of CONTRIBUTING.md under
// that name and a CMakeLists.txt. Throws UserError if it is there already, or if that is no name for a
// kernel.
void write_kernel_folder(const std::string& path);

}  // namespace sextant
