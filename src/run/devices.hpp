// Selects the GPUs of --devices, over which a run distributes its cases.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "record/environment.hpp"

namespace sextant {

struct RequestedDevices {
  std::vector<std::string> names;  // "gpu0", "gpu1", …; empty: the user did not give --devices
  std::vector<std::string> notes;  // messages about GPUs that are excluded, with reasons
};

// Parses --devices. `all` selects all GPUs of the same kind as the first one; otherwise `text` is a list
// ("gpu0-3", "gpu0,gpu2"). Throws UserError if the text is not a list, a GPU is missing, or the GPUs differ
// in kind.
RequestedDevices devices_asked(const std::string& text, const Environment& environment);

// Returns the worker slots of a run: one per GPU, bound to processors near that GPU, and one for cases on the
// CPU.
std::vector<WorkerSlot> slots_of(const std::vector<std::string>& devices, const Environment& environment);

}  // namespace sextant
