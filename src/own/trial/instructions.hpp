// Counts the instructions of a user kernel's serial code, for kernels whose description counts no operations.
#pragma once

#include <optional>
#include <string>

#include "suite/kernel.hpp"

namespace sextant::own {

// Returns the number of instructions of one execution of the kernel's first serial variant. Divisions, roots
// and branches whose outcomes do not repeat count as several. The number is counted once for each kernel and
// type, in child processes that run the code step by step at two small sizes, and extended to the problem's
// N. Returns nothing for other kernels than described ones, if the code does not run or runs too long, or if
// the system does not allow to trace a child process.
std::optional<double> counted_instructions(const std::string& kernel, const Problem& problem);

// Instructions at two values of N; the second is larger. Equal values tell that they are proportional to N.
// `cost`: of an instruction, on average.
struct CountedSizes {
  double small_n = 0, small = 0, large_n = 0, large = 0, cost = 1;
};

// Extends the counts to another N: by a straight line if they grow nearly in proportion, else by a power of
// N.
double instructions_at(const CountedSizes& counted, double n);

}  // namespace sextant::own
