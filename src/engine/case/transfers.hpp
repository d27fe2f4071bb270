// Measures copies, allocation and the end-to-end pass (from data on the host to the result on the host), in
// the same way for every programming model.
#pragma once

#include <string>
#include <vector>

#include "engine/case/device_copies.hpp"
#include "engine/case/sampling.hpp"
#include "record/measurement.hpp"

namespace sextant {

// Measures the copies of each array separately: to the device for inputs, from the device for outputs. Uses
// the device's plain copies (`pageable`, or `directive` for OpenACC and OpenMP target) and, on CUDA, copies
// from page-locked memory. Returns nothing for MemorySpace::host.
std::vector<Transfer> measure_transfers(Device& device, Workset& workset, DeviceCopies& device_copies,
                                        Clock& clock);

// Returns the seconds to allocate all arrays on the device, without freeing them, one value per repetition.
// The arrays must not have device copies. Returns nothing for MemorySpace::host.
std::vector<double> measure_allocation(Device& device, Workset& workset, Clock& clock);

struct EndToEnd {
  std::vector<double> times, prepare_times;  // seconds, one value for each pass
  // describes the error in the first pass's result, as Workset::compare does; empty if the result is right
  std::string wrong;
};

// Measures passes that allocate, copy inputs in, launch, copy outputs out and free. Each pass runs the
// variant's `prepare` again and times it separately. The first pass begins with poisoned outputs, and its
// result is compared with the reference. The arrays must not have device copies, and the arrays in `call` are
// not used. Returns nothing for MemorySpace::host.
EndToEnd measure_end_to_end(const Variant& variant, const Call& call, Device& device, Workset& workset,
                            Clock& clock);

}  // namespace sextant
