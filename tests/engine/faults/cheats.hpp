// Variants that do not do, call by call, the work they are timed for; and honest ones that resemble them.
// Their names have no model.
#pragma once

#include <vector>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

Kernel costly_kernel();  // c[i] = cheating::costly(a[i]) in float
std::vector<Variant> serial_cheats();
std::vector<Variant> cuda_cheats();  // none without CUDA

}  // namespace sextant
