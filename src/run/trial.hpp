// Decides how a run's cases are distributed to GPUs or cores. A trial shows whether concurrent measurements
// disturb each other.
#pragma once

#include <optional>
#include <vector>

#include "run/devices.hpp"
#include "run/request.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Returns how to distribute the cases. For several GPUs, the sentinels (test cases, run/sentinels.hpp)
// decide. Without --devices, a trial on CPU cores decides. The results are stored in the session. Returns
// nothing if the trial was interrupted.
std::optional<Distribution> distribution_of(const RequestedDevices& requested, const RunRequest& request,
                                            const Environment& environment, ProgressReporter& progress,
                                            std::int64_t session, ResultsFile* file, Timings* timings);

// Measures the sentinels again at the end of the run, to show whether the first result still holds.
void try_sentinels_again(const Distribution& distribution, const RunRequest& request,
                         ProgressReporter& progress, std::int64_t session, ResultsFile* file,
                         Timings* timings);

// Returns the distribution for one round of the run: cases on cores that are not in `round` are removed.
Distribution distribution_in(const Distribution& distribution, const std::vector<Case>& round);

}  // namespace sextant
