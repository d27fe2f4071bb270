// Describes kernels for results files, so that other builds can read the measurements.
#pragma once

#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"
#include "registry/registry.hpp"

namespace sextant {

KernelDescription describe(const RegisteredKernel& entry);

// Returns the descriptions of those kernels in `cases` that this build contains.
KernelDescriptions describe(const std::vector<Case>& cases);

// Adds missing data to results files older than version 3: descriptions of measured kernels, and the flag for
// the default tuning. Existing descriptions do not change. If this build lacks a kernel or variant, the data
// come from its name only.
void complete(Results* results);

}  // namespace sextant
