// Kernels that go wrong, each in its own way: for tests only, never in the program.
#pragma once

#include <string>

namespace sextant {

// Adds the kernel "fault" (c[i] = a[i] + 1, arrays a and c) with one variant a fault, and "fault_inout" (c[i]
// += 1). GPU faults are there where the build has CUDA.
void add_fault_kernels();

// The path of sextant_test_worker: beside the program that asks.
std::string test_worker();

}  // namespace sextant
