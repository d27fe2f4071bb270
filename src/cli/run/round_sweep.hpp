// Runs the rounds of a sweep (each has problems of similar size), and predicts which cases they contain.
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

// Predicts the cases of all rounds from estimated times. It assumes that the first variant of each
// programming model is its fastest.
std::vector<Case> expected_cases(const RunRequest& request, ProgressReporter& progress);

// Executes the cases in `round` and in the following rounds, until all rounds are done or one ends early.
// Stores in `planned` the number of cases of all rounds, including rounds that were not begun.
Outcome sweep_rounds(std::vector<Case> round, const RunRequest& request, const WorkerCommand& worker,
                     const Environment& environment, ProgressReporter& progress,
                     const std::function<void(const Measurement&)>& keep, const Distribution& distribution,
                     Rounds* rounds, Timings* timings, std::size_t* planned);

}  // namespace sextant
