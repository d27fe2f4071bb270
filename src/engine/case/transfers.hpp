// Measures copies, allocation and the whole pass from host data to host result, in the same way for every
// model.
#pragma once

#include <string>
#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/case/workset.hpp"
#include "record/measurement.hpp"

namespace sextant {

// Measures the copies of each array separately, in the directions of its role. Uses the device's plain copies
// (`pageable`, or `directive` for offloaded models) and, on CUDA, copies from page-locked memory. Returns
// nothing for MemorySpace::host.
std::vector<Transfer> measure_transfers(Device& device, Workset& workset, Mapped& mapped, Clock& clock);

// Seconds to allocate all arrays on the device, without freeing them, one value per repetition. The arrays
// must not be mapped. Returns nothing for MemorySpace::host.
std::vector<double> measure_allocation(Device& device, Workset& workset, Clock& clock);

struct EndToEnd {
  std::vector<double> times, prepare_times;  // seconds, one per pass
  std::string wrong;  // error in the first pass's result, as Workset::compare reports it
};

// Measures passes that allocate, copy inputs in, launch, copy outputs out and free. Each pass runs the
// variant's `prepare` anew and times it separately. The first pass begins with poisoned outputs and is
// compared with the reference. The arrays must not be mapped, and the call's own arrays are not used. Returns
// nothing for MemorySpace::host.
EndToEnd measure_end_to_end(const Variant& variant, const Call& call, Device& device, Workset& workset,
                            Clock& clock);

}  // namespace sextant
