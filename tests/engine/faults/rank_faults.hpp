// Declares faulty variants that run in several processes, with the fault in one rank only. The program never
// contains them.
#pragma once

#include <string>

#include "suite/kernel.hpp"

namespace sextant {

// c[i] = a[i] + 1 with arrays a and c, for tests of distributed problems.
Kernel parts_kernel(const char* name);

// Adds a kernel "parts" with one variant for each fault, and "costly" with variants that skip work in the
// timed calls.
void add_rank_faults();

// The path of sextant_test_rank, which is in the folder of the calling program.
std::string test_rank();

}  // namespace sextant
