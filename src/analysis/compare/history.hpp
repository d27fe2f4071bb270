// Follows a case's time over many runs and finds the runs at which it changed permanently.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

// Least number of runs in which changes are searched. With fewer runs, changes look like noise.
inline constexpr std::size_t least_runs_for_changes = 5;

// Returns the indices at which the level of `log_times` changes by more than `threshold` (0.05 for 5 %). A
// level is the median of successive runs of equal speed. `log_times` has natural logarithms, oldest run
// first. Each level lasts at least two runs. The result is empty for fewer than least_runs_for_changes runs.
//
// The method is optimal partitioning (B. Jackson et al., An algorithm for optimal partitioning of data on an
// interval, IEEE Signal Processing Letters 12, 2005). Its biweight loss keeps a single slow run from counting
// as a change (P. Fearnhead and G. Rigaill, Changepoint detection in the presence of outliers, JASA 114,
// 2019). Each run adds min((x - median)^2 / s^2, 9) to a level's cost, and each level adds 4 ln n. The noise
// s is estimated from differences of successive runs.
std::vector<std::size_t> change_points(const std::vector<double>& log_times, double threshold);

struct HistoryPoint {
  std::size_t run = 0;  // index in History::runs
  double seconds = 0;   // the run's median call time, or the middle mean of its device times
};

struct HistoryChange {
  std::size_t run = 0;  // index in History::runs of the first run after the change
  double ratio = 1;     // median time after the change over the median time before it
};

struct CaseHistory {
  const Summary* newest = nullptr;
  ComparedTime time = ComparedTime::call;  // the kind of time that is followed: call or device
  std::vector<HistoryPoint> points;        // the correct and timed runs, oldest first
  std::vector<HistoryChange> changes;
  bool broken = false;  // the newest run is wrong or failed, but an older one was correct

  // True if the last change made the case slower, or if the case is broken.
  bool regressed() const { return broken || (!changes.empty() && changes.back().ratio > 1); }
};

struct History {
  std::vector<const Session*> runs;  // all runs (sessions), oldest first
  std::vector<CaseHistory> cases;
};

// Builds the history of each case. Each session of each side is a run. Cases are matched as in `match` and
// may be missing in some runs.
History history_of(const std::vector<Side>& sides, double threshold, ComparedTime time);

}  // namespace sextant
