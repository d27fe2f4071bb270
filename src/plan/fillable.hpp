// Says which inputs `run --fill` may fill.
#pragma once

#include "suite/kernel.hpp"

namespace sextant {

// Returns true if array `index` has floating-point inputs that may be filled with other numbers
// (record/input_fill.hpp).
bool is_fillable(const Kernel& kernel, const Problem& problem, int index);

// Returns what keeps the problem's inputs from being filled with other numbers, such as "no floating-point
// inputs", or null. Each floating-point input must be fillable, and there must be one.
const char* why_not_filled(const Kernel& kernel, const Problem& problem);

}  // namespace sextant
