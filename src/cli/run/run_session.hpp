// The session that a run adds to its results file, with the ceilings of the devices that it takes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/options/run_options.hpp"
#include "run/devices.hpp"
#include "run/progress.hpp"
#include "run/request.hpp"
#include "run/timings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// The machine's GPUs that --devices names; none without it.
DealtDevices dealt_devices(const RunOptions& options, const Environment& environment,
                           ProgressReporter& progress);

// Those whose ceilings the cases are held against.
std::set<std::string> devices_of(const std::vector<Case>& cases, const Environment& environment,
                                 const DealtDevices& dealt);

Session session_of(const RunRequest& request, const Environment& environment, const DealtDevices& dealt);

// A run that has nothing left to measure still lacks ceilings if those before it left them out.
void measure_missing_ceilings(RunRequest request, const std::vector<Case>& asked,
                              const Environment& environment, const DealtDevices& dealt,
                              const WorkerCommand& worker, ProgressReporter& progress, ResultsFile* file,
                              Timings* timings);

}  // namespace sextant
