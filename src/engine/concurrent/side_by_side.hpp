// Whether devices disturb each other: the same cases on each of them, while the others do nothing and while
// they do the same.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

// A case, how often it is tried both ways, and with what a turn is measured.
struct Tried {
  Case what;
  int rounds = 1;
  Settings settings = {};
};

// A case on one of the devices, which `what.device` names: a measurement a round, fewer where the run was
// stopped before.
struct BothWays {
  std::vector<Measurement> alone, beside;
};

// Case by case: once on all devices at the same time, which tells nothing but has all made ready (GPUs, data,
// checks), unless it fails; then round by round, on one device after the other, and on all at the same time;
// that comes second in the first round and every second one after it, else first, so that what drifts meets
// both alike. A list a device, in the order of `devices`, with an entry a case.
std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Tried>& cases,
                                                    const std::vector<std::string>& devices,
                                                    const MakeExecutor& make, const Callbacks& callbacks);

// The same in worker processes, of `settings` but for what cases have of their own.
std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Tried>& cases, const Settings& settings,
                                                    const std::vector<Lane>& lanes,
                                                    const Callbacks& callbacks);

}  // namespace sextant
