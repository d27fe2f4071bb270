// Declares the faulty kernels of the tests. The program never contains them.
#pragma once

#include <string>

namespace sextant {

// Adds the kernel "fault" (c[i] = a[i] + 1, arrays a and c), which has one variant for each fault, and
// "fault_inout" (c[i] += 1). Builds with CUDA also have the GPU faults.
void add_fault_kernels();

// The path of sextant_test_worker, which is in the folder of the calling program.
std::string test_worker();

}  // namespace sextant
