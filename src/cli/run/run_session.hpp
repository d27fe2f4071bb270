// Creates the session that a run adds to its results file. Measures ceilings (hardware limits) that its
// devices lack.
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

// Returns those GPUs of the machine that --devices names, or none without that option.
RequestedDevices requested_devices(const RunOptions& options, const Environment& environment,
                                   ProgressReporter& progress);

// Returns the devices whose ceilings the cases are compared with.
std::set<std::string> devices_of(const std::vector<Case>& cases, const Environment& environment,
                                 const RequestedDevices& requested);

Session session_of(const RunRequest& request, const Environment& environment,
                   const RequestedDevices& requested);

// Measures ceilings that earlier runs left out. This is for a run whose cases are all in the file already.
void measure_missing_ceilings(RunRequest request, const std::vector<Case>& asked,
                              const Environment& environment, const RequestedDevices& requested,
                              const WorkerCommand& worker, ProgressReporter& progress, ResultsFile* file,
                              Timings* timings);

}  // namespace sextant
