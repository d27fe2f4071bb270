// From a selection's sizes, shapes, classes and parameters to the problems of a kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct SizedProblem {
  std::string name;  // of the class, or what else says which problem it is; empty for a plain N
  Problem problem;
  bool every_tuning = false;  // each of a variant's tunables is to be checked at it
  std::size_t place = 0;      // of SelectedKernel::places
};

// Throws UserError: each type and class asked for must be some selected kernel's; so must each parameter, and
// each of its values lie within its range.
void check_problems(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// The problems of one kernel, by type, then: sizes, smallest first, shapes, the named ones, each at all
// places. What is left out, and what a size that is no N was understood as, is added to *notes.
std::vector<SizedProblem> problems_of(const SelectedKernel& chosen, const Selection& selection,
                                      std::vector<std::string>* notes);

}  // namespace sextant
