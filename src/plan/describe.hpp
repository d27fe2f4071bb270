// Descriptions of kernels for results files, so that readers do not need this build.
#pragma once

#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"
#include "registry/registry.hpp"

namespace sextant {

KernelDescription describe(const RegisteredKernel& entry);

// Describes the kernels of the cases that exist in this build.
KernelDescriptions describe(const std::vector<Case>& cases);

// Completes results files older than version 3 from this build's registry. A session without a description of
// a measured kernel gets one, and its correct measurements get the flag for the default tuning. Existing
// descriptions do not change. Kernels and variants that this build lacks get only what follows from their
// names.
void complete(Results* results);

}  // namespace sextant
