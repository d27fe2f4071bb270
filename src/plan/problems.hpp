// Converts the sizes, shapes, classes and parameters of a selection to the problems of a kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct SizedProblem {
  std::string name;  // class or other description; empty for a plain N
  Problem problem;
  bool every_tuning = false;  // check each tunable's choices at this problem
  std::size_t place = 0;      // index in SelectedKernel::places
};

// Throws UserError if no selected kernel has a requested type, class or parameter, or if a parameter value is
// out of range.
void check_problems(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// Returns the problems of one kernel: by type, then sizes in ascending order, shapes and named problems, each
// on all devices. *notes gets a line for each omission, and for each size that was not given as N.
std::vector<SizedProblem> problems_of(const SelectedKernel& chosen, const Selection& selection,
                                      std::vector<std::string>* notes);

}  // namespace sextant
