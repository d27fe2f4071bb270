// Declares the part of slower.cpp that needs CUDA.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

// Launches `original` and then, on the same stream, a kernel that spins for the fraction `share` of its GPU
// time, at least a microsecond. The time is measured the first time that a launch and a problem occur
// together. A share of 0 adds nothing.
void launch_longer_on_gpu(const Function<void(const Call&)>& original, const Call& call, double share);

}  // namespace sextant
