// From a selection to what it names in the registry and to the list of cases, without touching any device.
#pragma once

#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"
#include "plan/tunings.hpp"
#include "record/case.hpp"

namespace sextant {

// A case with the kernel and the variant that it names.
struct ResolvedCase {
  const RegisteredKernel* entry;
  const Variant* variant;
  Case what;
};

// A selection that was held against the registry: all that it names exists, and what is left of it can be
// run.
struct Resolved {
  std::vector<SelectedKernel> kernels;
  // In an order that lets a worker share work: by kernel, type, size, device, then variant and tuning; serial
  // baselines before what they are compared with. Empty with Selection::names_only alone.
  std::vector<ResolvedCase> cases;
};

// Throws UserError, naming the nearest valid name, if a pattern, device, type, class, parameter, tunable or
// value matches nothing, if no case is left, or if variants refuse all tunings asked for. Single tunings that
// a variant's constraint refuses are planned too: the executor stores them as skipped with the constraint's
// reason. Sizes too small for a kernel, problems that it refuses, variants without one of the asked types or
// tuning values and the like are left out with a line in *notes.
//
// A problem that is a shape, or has other parameters than the kernel's preferred ones, gets a name that says
// so ("100x37x53 steps=4") as its class.
//
// Without kernels: the loaded ones, if there are any. Without kernels, sizes, shapes and classes: the study.
// With sizes or classes alone: every kernel that has such problems. With suites and classes: their programs,
// without those kernels that give more of a program's results.
Resolved resolve(const Selection& selection, std::vector<std::string>* notes = nullptr);

// The cases by name, as engine and results files have them.
std::vector<Case> cases_of(std::vector<ResolvedCase> resolved);
std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes = nullptr);

}  // namespace sextant
