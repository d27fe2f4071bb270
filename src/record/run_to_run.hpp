// How far the medians of a case differ between runs, beyond the noise within a run. Only old results files
// contain this estimate; newer ones measure cases in several processes (record/visits.hpp). The keys in the
// session's environment are "run_to_run.cpu" or "run_to_run.cpu.openmp", with values such as "0.0314 of 12"
// (deviation and number of cases).
#pragma once

#include <optional>
#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"
#include "record/statistics.hpp"

namespace sextant {

struct RunToRun {
  double deviation = 0;  // standard deviation of log(median) between runs
  int pairs = 0;         // number of cases that were measured twice
};

// An estimate needs at least this many cases that were measured twice.
inline constexpr int min_repeated = 4;

// Returns the deviation for the case's device and model, else for its device. Empty if unknown.
std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what);

// Widens an interval so that it covers the median of another run with 95 % confidence (Student's t, with
// RunToRun::pairs degrees of freedom). Both uncertainties add as squares on the logarithmic scale. An
// interval of fewer than min_interval_samples samples stays unchanged.
Interval across_runs(const Interval& interval, const RunToRun& noise);

}  // namespace sextant
