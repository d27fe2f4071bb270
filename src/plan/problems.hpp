// From a selection's sizes, shapes, classes and parameters to the problems of a kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct SizedProblem {
  std::string name;  // of the class, or what else says which problem it is; empty for a plain N
  Problem problem;
  bool every_tuning = false;  // each of a variant's tunings is to be checked at it
};

// Throw UserError: each class asked for must be some selected kernel's; so must each parameter, and each of its values lie
// within its range.
void check_classes(const Selection& selection, const std::vector<SelectedKernel>& chosen);
void check_parameters(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// The problems of one kernel: sizes, smallest first, shapes, the named ones. What is left out, and what a size that is
// no N was understood as, is added to *notes.
std::vector<SizedProblem> problems_of(const Kernel& kernel, const Selection& selection, ElementType type,
                                      std::vector<std::string>* notes);

// Whether a size is each part's, however many there are: a collective's arrays grow with the parts.
bool is_of_each_part(const Kernel& kernel, Problem problem);

// `factor` times as much of the slowest axis. Empty where there is no such problem.
std::optional<SizedProblem> times_as_much(const Kernel& kernel, const SizedProblem& sized, int factor);

}  // namespace sextant
