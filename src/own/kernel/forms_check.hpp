// Checks a loaded user kernel in a worker process before the engine uses it.
#pragma once

#include <string>

#include "registry/registry.hpp"

namespace sextant {

// Returns the first error as a sentence that begins with the kernel's name, or an empty text. The check calls
// the kernel's functions at N = 1, 2, 3, 97 and 4099, or at its smallest size. It calls the reference in
// every type. It never calls a variant's launch.
std::string problem_of_forms(const RegisteredKernel& entry);

}  // namespace sextant
