// Declares faulty variants for several MPI ranks. The fault is in one rank only. Only test programs link
// them.
#pragma once

#include <string>

#include "faults/planted.hpp"
#include "suite/kernel.hpp"

namespace sextant {

// Returns the kernel c[i] = a[i] + 1, whose arrays are distributed over ranks.
Kernel parts_kernel(const char* name);

// Returns the variants of the build that run on ranks and of which add_rank_faults() makes copies that stop
// their work.
std::vector<Original> planted_in_ranks();

// Adds the kernel "parts" with one variant for each fault, the kernel "costly" with variants that skip work
// in timed calls, and the copies of planted_in_ranks().
void add_rank_faults();

// Returns the path of the program sextant_test_rank, which is in the folder of the calling program.
std::string test_rank();

}  // namespace sextant
