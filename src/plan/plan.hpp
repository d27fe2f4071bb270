// Converts the user's selection of kernels, sizes and so on into a list of cases, without accessing a device.
#pragma once

#include <string>
#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"
#include "plan/tunings.hpp"
#include "record/case.hpp"

namespace sextant {

// A case with pointers to its kernel and variant.
struct ResolvedCase {
  const RegisteredKernel* entry;
  const Variant* variant;
  Case what;
};

// A selection with its kernels and variants looked up in the registry. All its names exist.
struct Resolved {
  std::vector<SelectedKernel> kernels;
  // The cases are sorted so that a worker can reuse data: by kernel, type, size, device, variant, tuning.
  // Serial baselines come before the variants that are compared with them. Empty only with
  // Selection::names_only.
  std::vector<ResolvedCase> cases;
};

// Converts a selection into cases. Throws UserError with the nearest valid name if a pattern, device, type,
// class, parameter, tunable or value matches nothing. It also throws if no case remains, or if variants
// refuse all requested tunings. A single tuning that a constraint refuses stays in the list; it is later
// stored as skipped with the reason. A line in *notes reports each omission: sizes too small for a kernel,
// refused problems, variants without a requested type or tuning value.
//
// A problem with explicit extents or parameters gets a descriptive name, such as "100x37x53 steps=4".
//
// Defaults:
//   - Without kernels: the loaded user kernels, if there are any.
//   - Without kernels, sizes, shapes and named problems: the default study (suite/presentation.hpp).
//   - With only sizes or named problems: every kernel that has such problems.
//   - With suites and named problems: programs, but not the kernels that check more results of a program.
Resolved resolve(const Selection& selection, std::vector<std::string>* notes = nullptr);

// Returns the cases in the form that the engine and results files use, without pointers to the registry.
std::vector<Case> cases_of(std::vector<ResolvedCase> resolved);
std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes = nullptr);

}  // namespace sextant
