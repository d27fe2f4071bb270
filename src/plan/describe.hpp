// Creates the descriptions of kernels that results files store, so that readers do not need this build.
#pragma once

#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"
#include "registry/registry.hpp"

namespace sextant {

KernelDescription describe(const RegisteredKernel& entry);

// Returns the descriptions of the kernels in `cases`, if this build contains them.
KernelDescriptions describe(const std::vector<Case>& cases);

// Completes results files older than version 3 with data from this build. A session without a description of
// a measured kernel gets one. Its correct measurements get the flag for the default tuning. Existing
// descriptions do not change. If this build lacks a kernel or variant, the data come from its name only.
void complete(Results* results);

}  // namespace sextant
