// Expands the user's selection (kernels, sizes, …) into a list of cases, without accessing a device.
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

// A selection whose kernels and variants were found in the registry.
struct Resolved {
  std::vector<SelectedKernel> kernels;
  // Sorted by kernel, type, size, device, variant and tuning, so that a worker process can reuse data. Serial
  // baselines come before the variants that are compared with them. Empty with Selection::names_only.
  std::vector<ResolvedCase> cases;
};

// Expands a selection into cases. Throws UserError with the most similar valid name if a name matches
// nothing. Also throws if no case remains, or if the variants refuse all requested tunings. A tuning that
// only some variants refuse stays in the list, and its cases are reported as skipped. Each problem that is
// left out adds a line to *notes.
//
// A problem with explicit extents or parameters gets a descriptive name, such as "100x37x53 steps=4".
//
// Defaults:
//   - Without kernels: the loaded user kernels, if there are any.
//   - Without kernels, sizes, shapes and named problems: the default study (suite/presentation.hpp).
//   - With only sizes or named problems: every kernel that has such problems.
//   - With suites and named problems: each program once, without its versions that output more results.
Resolved resolve(const Selection& selection, std::vector<std::string>* notes = nullptr);

// Returns the cases without the pointers to the registry.
std::vector<Case> cases_of(std::vector<ResolvedCase> resolved);
std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes = nullptr);

}  // namespace sextant
