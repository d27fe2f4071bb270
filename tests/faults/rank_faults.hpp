// Variants of several processes that go wrong, each in its own way and in one rank only: for tests, never in the program.
#pragma once

#include <string>

namespace sextant {

// Adds the kernel "parts" (c[i] = a[i] + 1, arrays a and c) with one variant a fault.
void add_rank_faults();

// The path of sextant_test_rank: beside the program that asks.
std::string test_rank();

}  // namespace sextant
