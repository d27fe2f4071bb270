// Converts the sizes, shapes, named problems and parameters of a selection to the problems of a kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct SizedProblem {
  std::string name;  // named problem or other description; empty for a plain size N
  Problem problem;
  bool every_tuning = false;  // true if all choices of the variants' tunables are checked with this problem
  std::size_t place = 0;      // index in SelectedKernel::places
};

// Throws UserError if no selected kernel has a requested type, named problem or parameter, or if a parameter
// value is out of range.
void check_problems(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// Returns the problems of one kernel, sorted by type. Sizes come first in ascending order, then shapes and
// named problems, each on all devices. *notes gets a line for each omission, and for each size that was not
// given as N.
std::vector<SizedProblem> problems_of(const SelectedKernel& chosen, const Selection& selection,
                                      std::vector<std::string>* notes);

}  // namespace sextant
