// The main function of a worker process, which communicates with its parent through a pipe.
#pragma once

#include <vector>

#include "engine/process/loads.hpp"

namespace sextant {

// Reads cases from descriptor `in` and writes measurements to `out` until `in` is closed. Also answers
// questions about the machine and its ceilings (peak rates), so that the parent never uses a device. If
// `loads` cannot be loaded, every answer says why. Returns the exit code.
int worker_main(int in, int out, const std::vector<Load>& loads = {});

}  // namespace sextant
