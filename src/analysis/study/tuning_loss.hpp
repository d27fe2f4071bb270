// Computes how much slower each tuning is than the best tuning at each size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// The cost of using one tuning at every size.
struct TuningLoss {
  std::string tuning;
  double mean = 0;         // geometric mean of time over best time, over the sizes where it ran; 1 is best
  double worst = 0;        // the largest of these ratios
  std::string worst_size;  // the size of the worst ratio
  std::size_t sizes = 0;
  Tuning choices = {};  // the values of `tuning`; empty for the default's loss
};

// The tunings of one variant over the sizes of a group.
struct TuningMap {
  std::string column, variant;
  std::vector<std::string> sizes;
  std::vector<TuningLoss> tunings;  // by number of sizes, then by mean loss
  // [tuning][size]: time over the best time at that size; nothing if it did not run correctly.
  std::vector<std::vector<std::optional<double>>> over_best;
  // The best single tuning for all sizes: the smallest worst-case loss among tunings that ran at every size.
  // Null if there is none.
  const TuningLoss* fixed = nullptr;
  // The loss of the variant's default, which may depend on the size; nothing if no default was measured.
  std::optional<TuningLoss> standard;

  TuningMap() = default;
  TuningMap(TuningMap&&) = default;
  TuningMap& operator=(TuningMap&&) = default;
  TuningMap(const TuningMap&) = delete;  // `fixed` points into `tunings`
  TuningMap& operator=(const TuningMap&) = delete;
};

// One tuning of a variant at one problem, by device time if all tunings have one, else by call time.
struct RankedTuning {
  const Summary* summary = nullptr;
  Interval time = {};
  Interval over_best = {};  // time over the best tuning's time; 1 for the best
  bool tied = false;        // not distinguishable from the best; true for the best itself
  bool standard = false;    // the variant's default for the problem
  Interval gain = {};       // default's time over this time; 0 samples: the default was not measured
};

// The correct tunings of the column's best variant at this problem, fastest first. Empty if no measurement
// has a tuning.
std::vector<RankedTuning> ranked_tunings(const StudyRow& row, const std::string& column);

// One map for each column of the group: the variant that is best at the largest size, if several of its
// tunings ran. Device times are used if all measurements have one, else call times.
std::vector<TuningMap> tuning_maps(const StudyGroup& group);

}  // namespace sextant
