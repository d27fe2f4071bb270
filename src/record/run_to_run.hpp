// How far apart runs of the same case come out beyond what the intervals of their samples say, as files of
// releases before there were visits (record/visits.hpp) keep it: learnt by measuring some of a run's cases
// once more, and kept in the session's environment, by device class and model: "run_to_run.cpu" and
// "run_to_run.cpu.openmp" = "0.0314 of 12".
#pragma once

#include <optional>
#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"
#include "record/statistics.hpp"

namespace sextant {

// What a run may differ by from another.
struct RunToRun {
  double deviation = 0;  // standard deviation of the logarithm of a run's median
  int pairs = 0;         // from so many repeated cases
};

// Fewer pairs than this say nothing.
inline constexpr int min_repeated = 4;

// What the environment says of a case's model, else of its device class; empty if neither is known.
std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what);

// The interval of what another run may find: each side joined, on the logarithmic scale, with the 95 % bound
// of `noise` (Student's t by the number of pairs). Unchanged where it has fewer than min_interval_samples.
Interval across_runs(const Interval& interval, const RunToRun& noise);

}  // namespace sextant
