// Resolves a selection against the registry into a list of cases, without accessing a device.
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

// A selection resolved against the registry. All its names exist.
struct Resolved {
  std::vector<SelectedKernel> kernels;
  // Sorted so that a worker can reuse data: by kernel, type, size, device, variant, tuning. Serial baselines
  // come before the variants compared with them. Empty only with Selection::names_only.
  std::vector<ResolvedCase> cases;
};

// Resolves a selection. Throws UserError with the nearest valid name if a pattern, device, type, class,
// parameter, tunable or value matches nothing. It also throws if no case remains, or if variants refuse all
// requested tunings. A single tuning that a constraint refuses stays in the plan; the executor stores it as
// skipped with the reason. A line in *notes reports each omission: sizes too small for a kernel, refused
// problems, variants without a requested type or tuning value.
//
// A problem with explicit extents or non-default parameters gets a descriptive class name: "100x37x53
// steps=4".
//
// Defaults: a selection without kernels means the loaded kernels, if there are any. Without kernels, sizes,
// shapes and classes it means the study. Sizes or classes alone select every kernel that has such problems.
// Suites together with classes select programs, but not the kernels that output more of a program's results.
Resolved resolve(const Selection& selection, std::vector<std::string>* notes = nullptr);

// Returns the cases as the engine and results files use them, by name.
std::vector<Case> cases_of(std::vector<ResolvedCase> resolved);
std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes = nullptr);

}  // namespace sextant
