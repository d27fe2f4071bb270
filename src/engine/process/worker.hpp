// The worker's side of the pipe to its parent.
#pragma once

#include <vector>

#include "engine/process/loads.hpp"

namespace sextant {

// Reads cases from descriptor `in` and writes measurements to `out` until `in` closes. Also answers questions
// about the machine and its ceilings, so that the parent never touches a device. If `loads` cannot be loaded,
// every answer says why. Returns the exit code.
int worker_main(int in, int out, const std::vector<Load>& loads = {});

}  // namespace sextant
