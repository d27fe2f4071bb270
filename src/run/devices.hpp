// --devices: the GPUs that a run's cases are dealt to.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "record/environment.hpp"

namespace sextant {

struct DealtDevices {
  std::vector<std::string> names;  // "gpu0", …; empty: the run is not dealt
  std::vector<std::string> notes;  // which GPUs stay out of it, and why
};

// What `text` names of the machine's GPUs: `all` those of the first one's kind, else a list ("gpu0-3",
// "gpu0,gpu2"). Throws UserError: no list, a GPU that is not there, or GPUs of different kinds.
DealtDevices devices_asked(const std::string& text, const Environment& environment);

// A worker a device, bound to processors next to its GPU, and one for what runs on the CPU.
std::vector<Lane> lanes_of(const std::vector<std::string>& devices, const Environment& environment);

}  // namespace sextant
