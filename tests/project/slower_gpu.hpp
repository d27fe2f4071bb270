// Declares the GPU part of slower.cpp.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

// Launches `original`, and then a kernel on the same stream that spins for the fraction `share` of the GPU
// time of `original`, at least a microsecond. The GPU time is measured once for each launch function and
// problem. Adds nothing if `share` is 0.
void launch_longer_on_gpu(const Function<void(const Call&)>& original, const Call& call, double share);

}  // namespace sextant
