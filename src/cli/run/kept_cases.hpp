// What the results file of a run holds already of what is asked for.
#pragma once

#include "cli/options/run_options.hpp"
#include "present/measurement_rows.hpp"
#include "run/progress.hpp"
#include "run/request.hpp"
#include "run/rounds.hpp"
#include "run/sweep.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Leaves out of the request what the file holds; says so, and what else the file has of its cases. The
// baselines that it holds serve the speed-ups of the rest. The outcome so far: how what is held ended. Throws
// UserError where a part of a plan
// (--shard) was begun by another build.
Outcome take_from_file(ResultsFile& file, const RunOptions& options, const Environment& environment,
                       ProgressReporter& progress, RunRequest* request, MeasurementRows* rows,
                       Rounds* rounds);

}  // namespace sextant
