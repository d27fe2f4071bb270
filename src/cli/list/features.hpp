// The features of kernels and machines that predictions are made of, as `sextant list` shows them.
#pragma once

#include "cli/options/selection.hpp"
#include "predict/profile.hpp"
#include "present/table.hpp"

namespace sextant {

// One row a kernel, type and problem; where no problem is asked for, N = 1 Mi, or the first class of what has
// no N. What the selection leaves out goes to standard error.
Table forms_table(const SelectionOptions& options);

// One row a feature.
Table profile_table(const predict::Profile& profile);

}  // namespace sextant
