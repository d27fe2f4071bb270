// Describes how far medians of the same case differ between runs, beyond the intervals of their samples.
// Results files from before visits (record/visits.hpp) contain this spread. It was estimated by measuring
// some of a run's cases again. The session's environment keeps it by device class and model: "run_to_run.cpu"
// and "run_to_run.cpu.openmp" = "0.0314 of 12".
#pragma once

#include <optional>
#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"
#include "record/statistics.hpp"

namespace sextant {

// The spread between runs.
struct RunToRun {
  double deviation = 0;  // Standard deviation of the logarithm of a run's median.
  int pairs = 0;         // Number of repeated cases it was estimated from.
};

// Fewer pairs than this are not enough for an estimate.
inline constexpr int min_repeated = 4;

// Returns the spread for the case's model, or else for its device class. The result is empty if neither is
// known.
std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what);

// Widens an interval so that it covers the median of another run. Each side is combined, on the logarithmic
// scale, with the 95 % bound of `noise` (Student's t with the number of pairs). An interval of fewer than
// min_interval_samples samples is returned unchanged.
Interval across_runs(const Interval& interval, const RunToRun& noise);

}  // namespace sextant
