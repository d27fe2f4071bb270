// Ceilings of a device: the best bandwidths, rates and latencies that this run measured on it.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// Measures the ceilings of a device, which takes a few seconds.
//
// Device "cpu" or "gpu0", …:
// - bandwidths (copy, triad, read, write) over footprints from cache size to memory size
// - FP32 and FP64 rates
// - for the CPU, bandwidths and rates of one core, too (copy_core, …, fp64_core)
// - launch costs (launch_cuda, launch_openacc, launch_target, launch_openmp)
// - transfer rates and latencies (h2d_pinned, d2h_pinned, h2d_pageable, d2h_pageable)
// - seconds of copies over sizes (h2d_pageable_time, …)
// - seconds to allocate and release device memory (alloc_cuda_time, release_cuda_time)
//
// Device "gpu0-3": the links among these GPUs
// - copies by copy engines, for each pair and direction (link_copy_0_1)
// - copies in both directions at once, as the rate of each direction (link_both_0_1)
// - stores and loads of a kernel (link_store_0_1, link_load_0_1)
// - the time of a flag from one GPU to the other (link_flag_0_1_latency)
// - all GPUs at once by stores: to the next one (link_ring), to all others (link_all_to_all)
// - NCCL's all-reduce (link_nccl_all_reduce)
//
// `part` restricts the measurement to some ceilings of a GPU. The bandwidths can be measured without the
// others. They are timed by events on the GPU, while the host sleeps.
std::vector<Ceiling> measure_ceilings(const std::string& device, CeilingPart part = CeilingPart::all);

}  // namespace sextant
