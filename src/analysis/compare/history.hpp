// A case's times over many runs, and the runs at which they changed and stayed changed.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

// Fewer runs do not tell a change from noise.
inline constexpr std::size_t least_runs_for_changes = 5;

// The indices at which the level of `log_times` (natural logarithms of times, oldest first) changes by more
// than `threshold` (0.05 for 5 %); each level holds for two runs at least. Empty for fewer than
// least_runs_for_changes.
//
// Optimal partitioning (B. Jackson et al., An algorithm for optimal partitioning of data on an interval, IEEE
// Signal Processing Letters 12, 2005) with the biweight loss, to which a single slow run is no change (P.
// Fearnhead and G. Rigaill, Changepoint detection in the presence of outliers, JASA 114, 2019): a level costs
// min((x - median)^2 / s^2, 9) for each run and 4 ln n. The noise s comes from differences of successive
// runs.
std::vector<std::size_t> change_points(const std::vector<double>& log_times, double threshold);

struct HistoryPoint {
  std::size_t run = 0;  // index in History::runs
  double seconds = 0;   // the run's median (device: middle mean)
};

struct HistoryChange {
  std::size_t run = 0;  // index in History::runs of the first run after the change
  double ratio = 1;     // time after over time before, medians of both levels
};

struct CaseHistory {
  const Summary* newest = nullptr;
  ComparedTime time = ComparedTime::call;  // call or device
  std::vector<HistoryPoint> points;        // correct and timed, oldest first
  std::vector<HistoryChange> changes;
  bool broken = false;  // the newest run is wrong or failed, and an earlier one was right

  // The case's last change made it slower, or it is broken.
  bool regressed() const { return broken || (!changes.empty() && changes.back().ratio > 1); }
};

struct History {
  std::vector<const Session*> runs;  // oldest first
  std::vector<CaseHistory> cases;
};

// Each session of each side is a run. Cases are matched as `match` does, and may be missing in some runs.
History history_of(const std::vector<Side>& sides, double threshold, ComparedTime time);

}  // namespace sextant
