// Creates the session that a run adds to its results file, and measures missing ceilings of its devices.
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

// Returns the machine's GPUs that --devices names, or none without that option.
DealtDevices dealt_devices(const RunOptions& options, const Environment& environment,
                           ProgressReporter& progress);

// Returns the devices whose ceilings the cases are compared with.
std::set<std::string> devices_of(const std::vector<Case>& cases, const Environment& environment,
                                 const DealtDevices& dealt);

Session session_of(const RunRequest& request, const Environment& environment, const DealtDevices& dealt);

// Measures ceilings for a run without open cases, if earlier runs left them out.
void measure_missing_ceilings(RunRequest request, const std::vector<Case>& asked,
                              const Environment& environment, const DealtDevices& dealt,
                              const WorkerCommand& worker, ProgressReporter& progress, ResultsFile* file,
                              Timings* timings);

}  // namespace sextant
