// Chooses the functions of a file that one description contains, and those that are its steps.
#pragma once

#include <vector>

#include "own/draft/draft_parts.hpp"

namespace sextant::own {

// Leaves out host functions that other functions of the list call, except steps and functions that a loop
// repeats. The caller is the function that users time.
void leave_out_called(std::vector<Signature>* functions, DraftParts* parts);

// Keeps the functions that one description can contain. Kernels that pass results to each other become steps
// of one variant, and so do host functions. Otherwise the functions that write the same arrays as the first
// function are kept. Functions and steps that the file calls in a loop that swaps two arrays get `repeat` and
// `swapped`.
void choose_functions(bool may_be_steps, std::vector<Signature>* functions, DraftParts* parts);

}  // namespace sextant::own
