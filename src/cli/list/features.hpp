// Lists the features of kernels and machines that predictions use.
#pragma once

#include "cli/options/selection.hpp"
#include "predict/profile.hpp"
#include "present/table.hpp"

namespace sextant {

// Returns one row for each kernel, type and problem. The default problem has N = 1 Mi. For a kernel without
// N, it is the first problem class. Left-out cases are reported on standard error.
Table forms_table(const SelectionOptions& options);

// Returns one row per feature.
Table profile_table(const predict::Profile& profile);

}  // namespace sextant
