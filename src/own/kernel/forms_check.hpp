// Whether a kernel's forms are filled in as the engine needs them: asked once, in a worker, before anything
// else is asked of a loaded kernel.
#pragma once

#include <string>

#include "registry/registry.hpp"

namespace sextant {

// What is wrong first, a sentence that begins with the kernel's name; empty if nothing is. Calls the kernel's
// functions at N = 1, 2, 3, 97 and 4099, the reference in every type; never a variant's launch.
std::string problem_of_forms(const RegisteredKernel& entry);

}  // namespace sextant
