// The faults that need a GPU; none in a build without CUDA.
#pragma once

#include <vector>

#include "suite/variant.hpp"

namespace sextant {

std::vector<Variant> cuda_fault_variants();

}  // namespace sextant
