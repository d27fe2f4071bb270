// Converts the sizes, shapes, named problems and parameters of a selection into problems of a kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct SizedProblem {
  std::string name;  // name of the problem; empty for a plain size N
  Problem problem;
  bool every_tuning = false;  // true if this problem is checked with all tunings
  std::size_t place = 0;      // index in SelectedKernel::places
};

// Throws UserError if a requested type, named problem or parameter fits no selected kernel, or if a parameter
// value is out of range.
void check_problems(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// Returns the problems of one kernel, sorted by type: first sizes in ascending order, then shapes and named
// problems, each for all devices. Adds a line to *notes for each omission and for each size that was not
// given as N.
std::vector<SizedProblem> problems_of(const SelectedKernel& chosen, const Selection& selection,
                                      std::vector<std::string>* notes);

}  // namespace sextant
