// Distributes a run's cases to GPUs or cores, depending on a trial of whether they disturb each other.
#pragma once

#include <optional>
#include <vector>

#include "run/devices.hpp"
#include "run/request.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Returns how to distribute the cases. For several GPUs the sentinels decide; without --devices a trial of
// the cores does. The trial's results are stored in the session. Returns nothing if it was interrupted.
std::optional<Dealing> dealing_of(const DealtDevices& dealt, const RunRequest& request,
                                  const Environment& environment, ProgressReporter& progress,
                                  std::int64_t session, ResultsFile* file, Timings* timings);

// Measures the sentinels again at the end, because the result from the start must still hold.
void try_sentinels_again(const Dealing& dealing, const RunRequest& request, ProgressReporter& progress,
                         std::int64_t session, ResultsFile* file, Timings* timings);

// Returns the distribution, restricted to the cases on cores that belong to the round.
Dealing dealing_in(const Dealing& dealing, const std::vector<Case>& round);

}  // namespace sextant
