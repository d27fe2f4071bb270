// The rounds of a run: what they are expected to measure, and their sweep.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "run/progress.hpp"
#include "run/request.hpp"
#include "run/rounds.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"

namespace sextant {

// Of each model the first form stands for the fastest.
std::vector<Case> expected_cases(const RunRequest& request, ProgressReporter& progress);

// Executes the rounds, of which `round` is the first, until they are done or one does not come to its end.
// *planned: their cases, those of rounds that were not begun included.
Outcome sweep_rounds(std::vector<Case> round, const RunRequest& request, const WorkerCommand& worker,
                     const Environment& environment, ProgressReporter& progress,
                     const std::function<void(const Measurement&)>& keep, const Dealing& dealing,
                     Rounds* rounds, Timings* timings, std::size_t* planned);

}  // namespace sextant
