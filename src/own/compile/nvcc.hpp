// CUDA variants that NVRTC cannot compile, as their files hold host code: nvcc makes the same image.
#pragma once

#include <string>
#include <vector>

#include "base/child.hpp"
#include "own/compile/compile.hpp"

namespace sextant::own {

// $CUDACXX, else nvcc, which is looked up in PATH or stands beside the toolkit that this program was built
// with.
std::string nvcc();
// It with these arguments.
std::vector<std::string> nvcc_command(const std::vector<std::string>& arguments);
// What it says of its version; empty: it cannot be started.
const std::string& nvcc_version();

// Behind the source: makes nvcc put the steps' functions into the image, and for each a kernel whose name
// holds the function's.
std::string naming_of(const Instance& instance);
// The function's name in the image of step `step`; empty: it has none.
std::string named_kernel(const std::string& cubin, std::size_t step = 0);

// Compiles `source` into `image` within compile_seconds. `rule`: where to write which files were read.
Ended run_nvcc(const std::vector<std::string>& options, const std::string& source, const std::string& image,
               const std::string& rule);

}  // namespace sextant::own
