// Selects the GPUs of --devices, to which a run distributes its cases.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "record/environment.hpp"

namespace sextant {

struct DealtDevices {
  std::vector<std::string> names;  // "gpu0", …; empty: the run uses no --devices.
  std::vector<std::string> notes;  // Which GPUs are excluded, and why.
};

// Parses --devices. `all` selects all GPUs of the same kind as the first one; otherwise `text` is a list
// ("gpu0-3", "gpu0,gpu2"). Throws UserError if the text is not a list, a GPU is missing, or the GPUs differ
// in kind.
DealtDevices devices_asked(const std::string& text, const Environment& environment);

// Returns one worker slot per device, bound to processors near its GPU, and one for cases on the CPU.
std::vector<Lane> lanes_of(const std::vector<std::string>& devices, const Environment& environment);

}  // namespace sextant
