// Runs the same cases on several devices, on one at a time and on all at once, to show whether the devices
// disturb each other.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

// A case, the number of its measurement rounds, and the settings of each measurement.
struct Tried {
  Case what;
  int rounds = 1;
  Settings settings = {};
};

// Measurements of a case on the device in `what.device`: while the other devices were idle (`isolated`), and
// while all measured it (`concurrent`). There is one per round, or fewer if the run was stopped.
struct BothWays {
  std::vector<Measurement> isolated, concurrent;
};

// Runs each case once on all devices at the same time, to start GPUs, load data and check it. Each round then
// measures the case on one device after the other, and on all at the same time. The order alternates between
// rounds, so that drift affects both alike.
//
// Returns a list per device, in the order of `devices`, with one entry per case. Rethrows the first exception
// of a device.
std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Tried>& cases,
                                                    const std::vector<std::string>& devices,
                                                    const MakeExecutor& make, const Callbacks& callbacks);

// Runs the cases in worker processes. The workers are started with `settings`; each case then uses its own
// settings.
std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Tried>& cases, const Settings& settings,
                                                    const std::vector<WorkerSlot>& slots,
                                                    const Callbacks& callbacks);

}  // namespace sextant
