// Copies, allocation and the whole way from host data to host result, each measured the same way for every
// model.
#pragma once

#include <string>
#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/case/workset.hpp"
#include "record/measurement.hpp"

namespace sextant {

// Each array in the directions that its role asks for, in and out, apart: by the device's plain copies
// (pageable, or directive for OpenACC) and, on CUDA, from page-locked memory. Empty for MemorySpace::host.
std::vector<Transfer> measure_transfers(Device& device, Workset& workset, Mapped& mapped, Clock& clock);

// Seconds to give all arrays their place on the device, freeing not included; one value a repetition. The
// arrays must not be mapped. Empty for MemorySpace::host.
std::vector<double> measure_allocation(Device& device, Workset& workset, Clock& clock);

struct EndToEnd {
  std::vector<double> times, prepare_times;  // seconds, one a repetition
  std::string wrong;                         // with what the first of them made, as Workset::compare says it
};

// The time to allocate, copy inputs in, launch, copy outputs out and free, as one pass. What the variant
// prepares (a plan, a handle) is made anew for each pass, its time apart. The first pass finds poisoned
// outputs and is compared with the reference. The arrays must not be mapped; the call's own arrays are not
// used. Nothing for MemorySpace::host.
EndToEnd measure_end_to_end(const Variant& variant, const Call& call, Device& device, Workset& workset,
                            Clock& clock);

}  // namespace sextant
