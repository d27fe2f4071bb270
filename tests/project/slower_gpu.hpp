// The part of slower.cpp that needs CUDA.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

// Launches `original` and, behind it on its stream, a kernel that spins for `share` of the time which the GPU
// takes for it (measured when the pair of launch and problem is first seen), a microsecond at least. Nothing
// for 0.
void launch_longer_on_gpu(const Function<void(const Call&)>& original, const Call& call, double share);

}  // namespace sextant
