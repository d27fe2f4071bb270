// Kernels that go wrong, each in its own way: for tests only, never in the program.
#pragma once

namespace sextant {

// Adds the kernel "fault" (c[i] = a[i] + 1, arrays a and c) with one variant a fault, and "fault_inout" (c[i]
// += 1). GPU faults are there where the build has CUDA.
void add_fault_kernels();

}  // namespace sextant
