// Declares faulty kernels for the tests of the engine. Only test programs link them.
#pragma once

#include <string>

namespace sextant {

// Adds the kernel "fault" (c[i] = a[i] + 1) with one variant for each fault, and "fault_inout" (c[i] += 1).
// Builds with CUDA also have faults on the GPU.
void add_fault_kernels();

// Returns the path of the program sextant_test_worker, which is in the folder of the calling program.
std::string test_worker();

}  // namespace sextant
