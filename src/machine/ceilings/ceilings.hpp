// What a device can do at best, measured by the program itself, in this run.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// device: "cpu" or "gpu0", …. Bandwidths (copy, triad, read, write) over footprints from cache to memory
// size, FP32 and FP64 rates, launch costs (launch_cuda, launch_openacc, launch_target, launch_openmp), and transfer rates
// and latencies (h2d_pinned, d2h_pinned, h2d_pageable, d2h_pageable). A few seconds.
std::vector<Ceiling> measure_ceilings(const std::string& device);

}  // namespace sextant
