// How a run's cases are dealt to GPUs and cores, by what a trial says of them.
#pragma once

#include <optional>
#include <vector>

#include "run/devices.hpp"
#include "run/request.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// How the cases are dealt, by what the sentinels say of the GPUs, or the trial of the cores where they are
// dealt to no GPUs; kept in the session. Nothing if it was interrupted.
std::optional<Dealing> dealing_of(const DealtDevices& dealt, const RunRequest& request,
                                  const Environment& environment, ProgressReporter& progress,
                                  std::int64_t session, ResultsFile* file, Timings* timings);

// The sentinels once more: what was found at the start has to hold at the end.
void try_sentinels_again(const Dealing& dealing, const RunRequest& request, ProgressReporter& progress,
                         std::int64_t session, ResultsFile* file, Timings* timings);

// The dealing with those of the cases on cores that belong to a round.
Dealing dealing_in(const Dealing& dealing, const std::vector<Case>& round);

}  // namespace sextant
