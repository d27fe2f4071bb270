// Variants of several processes that go wrong, each in its own way and in one rank only: for tests, never in
// the program.
#pragma once

#include <string>

#include "suite/kernel.hpp"

namespace sextant {

// c[i] = a[i] + 1, arrays a and c: what parts are tried with.
Kernel parts_kernel(const char* name);

// Adds such a kernel, "parts", with one variant a fault, and "costly", with variants that do not do their
// work call by call.
void add_rank_faults();

// The path of sextant_test_rank: beside the program that asks.
std::string test_rank();

}  // namespace sextant
