// Compiles CUDA variants with nvcc, for files that contain host code. NVRTC cannot compile these.
#pragma once

#include <string>
#include <vector>

#include "base/child.hpp"
#include "own/compile/compile.hpp"

namespace sextant::own {

// Returns $CUDACXX, else nvcc from PATH, else nvcc of the toolkit that this program was built with.
std::string nvcc();
// Returns the nvcc command with these arguments.
std::vector<std::string> nvcc_command(const std::vector<std::string>& arguments);
// Returns nvcc's version output; empty if nvcc cannot be started.
const std::string& nvcc_version();

// Returns code to append to the source. The code makes nvcc emit the functions of all steps. For each step,
// it adds a kernel whose mangled name contains that of the step's function.
std::string naming_of(const Instance& instance);
// Returns the mangled name of the function of step `step` in the image; empty if there is none.
std::string named_kernel(const std::string& cubin, std::size_t step = 0);

// Compiles `source` into `image` within compile_seconds. The list of included files is written to `rule`.
Ended run_nvcc(const std::vector<std::string>& options, const std::string& source, const std::string& image,
               const std::string& rule);

}  // namespace sextant::own
