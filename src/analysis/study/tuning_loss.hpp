// How much time tunings lose against the best of each size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// What one tuning costs when it is used at every size.
struct TuningLoss {
  std::string tuning;
  double mean = 0;         // geometric mean over the sizes at which it ran, of time over the best: 1 is best
  double worst = 0;        // the largest of them
  std::string worst_size;  // where that was
  std::size_t sizes = 0;
  Tuning choices = {};  // the same as `tuning`; empty for the default's loss
};

// One variant's tunings over the sizes of a group.
struct TuningMap {
  std::string column, variant;
  std::vector<std::string> sizes;
  std::vector<TuningLoss> tunings;  // those that ran at most sizes first, then by mean
  // Time over the best at that size, [tuning][size]; nothing where it did not run correctly.
  std::vector<std::vector<std::optional<double>>> over_best;
  // The best tuning for all sizes: the least worst loss of those that ran at every size; null if none did.
  const TuningLoss* fixed = nullptr;
  // What the variant's default (which may depend on the size) costs; nothing if no default was measured.
  std::optional<TuningLoss> standard;

  TuningMap() = default;
  TuningMap(TuningMap&&) = default;
  TuningMap& operator=(TuningMap&&) = default;
  TuningMap(const TuningMap&) = delete;  // `fixed` points into `tunings`
  TuningMap& operator=(const TuningMap&) = delete;
};

// One tuning of a variant at one problem, by the device's time if all have one, else by the call's.
struct RankedTuning {
  const Summary* summary = nullptr;
  Interval time = {};
  Interval over_best = {};  // its time over the best one's; 1 for the best
  bool tied = false;        // noise explains what it is slower than the best; the best itself is tied, too
  bool standard = false;    // the variant's default for the problem
  Interval gain = {};       // the default's time over this one's; 0 samples: the default was not measured
};

// The tunings that ran correctly of the variant that is the column's best at this problem, fastest first.
// Empty if none has tunables.
std::vector<RankedTuning> ranked_tunings(const StudyRow& row, const std::string& column);

// For each column of the group: the variant that is its best at the largest size, if it ran with more than
// one tuning. By device time where all have one, else by call time.
std::vector<TuningMap> tuning_maps(const StudyGroup& group);

}  // namespace sextant
