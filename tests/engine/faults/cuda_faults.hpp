// Declares the faulty variants that need a GPU. A build without CUDA has none.
#pragma once

#include <vector>

#include "suite/variant.hpp"

namespace sextant {

std::vector<Variant> cuda_fault_variants();

}  // namespace sextant
