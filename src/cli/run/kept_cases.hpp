// Finds the requested cases that the results file of a run already holds.
#pragma once

#include "cli/options/run_options.hpp"
#include "present/measurement_rows.hpp"
#include "run/progress.hpp"
#include "run/request.hpp"
#include "run/rounds.hpp"
#include "run/sweep.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Removes from the request the cases that the file already holds, and prints messages about them. Baselines
// in the file give the speed-ups of the remaining cases. Returns the outcome of the removed cases. Throws
// UserError if another build began this shard of a plan (--shard).
Outcome take_from_file(ResultsFile& file, const RunOptions& options, const Environment& environment,
                       ProgressReporter& progress, RunRequest* request, MeasurementRows* rows,
                       Rounds* rounds);

}  // namespace sextant
