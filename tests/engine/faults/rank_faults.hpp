// Declares faulty variants for several MPI ranks. The fault is in one rank only. Only test programs link
// them.
#pragma once

#include <string>

#include "suite/kernel.hpp"

namespace sextant {

// Returns the kernel c[i] = a[i] + 1, whose arrays are distributed over ranks.
Kernel parts_kernel(const char* name);

// Adds the kernel "parts" with one variant for each fault, and the kernel "costly" with variants that skip
// work in timed calls.
void add_rank_faults();

// Returns the path of the program sextant_test_rank, which is in the folder of the calling program.
std::string test_rank();

}  // namespace sextant
