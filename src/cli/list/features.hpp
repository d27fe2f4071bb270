// Lists the features of kernels and machines from which predictions are made.
#pragma once

#include "cli/options/selection.hpp"
#include "predict/profile.hpp"
#include "present/table.hpp"

namespace sextant {

// Returns one row per kernel, type and problem. The default problem is N = 1 Mi, or the first class of a
// kernel without N. Left-out cases are reported on standard error.
Table forms_table(const SelectionOptions& options);

// Returns one row per feature.
Table profile_table(const predict::Profile& profile);

}  // namespace sextant
