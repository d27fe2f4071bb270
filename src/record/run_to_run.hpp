// The spread between runs: how far medians of the same case differ between runs, beyond the intervals of
// their samples. Only old results files, written before visits existed (record/visits.hpp), contain it. They
// estimated it by measuring some of a run's cases again. The session's environment stores it by kind of
// device and model: "run_to_run.cpu" and "run_to_run.cpu.openmp" = "0.0314 of 12".
#pragma once

#include <optional>
#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"
#include "record/statistics.hpp"

namespace sextant {

struct RunToRun {
  double deviation = 0;  // standard deviation of the logarithm of a run's median
  int pairs = 0;         // number of repeated cases from which it was estimated
};

// Fewer repeated cases than this do not suffice for an estimate.
inline constexpr int min_repeated = 4;

// Returns the spread for the case's device and model, or else for its kind of device. The result is empty if
// neither is known.
std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what);

// Widens an interval so that it covers the median of another run. On the logarithmic scale, the distance to
// each end is combined with the 95 % bound of `noise` (Student's t, with RunToRun::pairs degrees of freedom).
// An interval of fewer than min_interval_samples samples is returned unchanged.
Interval across_runs(const Interval& interval, const RunToRun& noise);

}  // namespace sextant
