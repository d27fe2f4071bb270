// What a device can do at best, measured by the program itself, in this run.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// device: "cpu" or "gpu0", …. Bandwidths (copy, triad, read, write) over footprints from cache to memory
// size, FP32 and FP64 rates, both of the CPU by one core, too (copy_core, …, fp64_core); launch costs
// (launch_cuda, launch_openacc, launch_target, launch_openmp); transfer rates and latencies (h2d_pinned,
// d2h_pinned, h2d_pageable, d2h_pageable), the seconds of copies over sizes (h2d_pageable_time, …), and of
// allocating and releasing device memory (alloc_cuda_time, release_cuda_time). "gpu0-3": of the links among
// these GPUs, for each pair and direction, copies by copy engines (link_copy_0_1), both ways at once
// (link_both_0_1, of each way), by a kernel's stores and loads, the time of a flag (link_flag_0_1_latency),
// and all at once by stores, to the next one (link_ring) and to all others (link_all_to_all), and NCCL's
// all-reduce (link_nccl_all_reduce). A few seconds. `part`: a GPU's bandwidths, which its own events time
// while the host waits without keeping a core busy, can be measured by themselves.
std::vector<Ceiling> measure_ceilings(const std::string& device, CeilingPart part = CeilingPart::all);

}  // namespace sextant
