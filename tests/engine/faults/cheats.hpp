// Declares variants that skip work in timed calls, and honest variants that resemble them. Their names lack
// the prefix of the programming model.
#pragma once

#include <vector>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

Kernel costly_kernel();  // c[i] = cheating::costly(a[i]) in float
std::vector<Variant> serial_cheats();
std::vector<Variant> cuda_cheats();  // empty without CUDA

}  // namespace sextant
