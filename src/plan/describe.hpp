// What this build knows of kernels, written down for those who read results without it.
#pragma once

#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"
#include "registry/registry.hpp"

namespace sextant {

KernelDescription describe(const RegisteredKernel& entry);

// Those of the cases that this build has.
KernelDescriptions describe(const std::vector<Case>& cases);

// Completes what files of before version 3 lack, from this build's registry: sessions that do not describe
// a kernel that they measured get its description, and their correct measurements of it whether their
// tuning was the default. Kernels and variants that this build lacks keep what can be told without it. What
// a session says itself stays.
void complete(Results* results);

}  // namespace sextant
