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
  double mean = 0;         // geometric mean over its sizes of (time / best time at that size); 1 is best
  double worst = 0;        // the largest of these ratios
  std::string worst_size;  // the size of the worst ratio
  std::size_t sizes = 0;
  Tuning choices = {};  // parameter values; empty for the default tuning, which may vary with size
};

// The tunings of one variant over the sizes of a group.
struct TuningMap {
  std::string column, variant;
  std::vector<std::string> sizes;
  std::vector<TuningLoss> tunings;  // tunings that ran at most sizes first, then by mean loss
  // The loss of each tuning at each size: its time over the best time at that size. Empty if the tuning did
  // not run correctly there.
  std::vector<std::vector<std::optional<double>>> over_best;
  // The tuning with the smallest `worst`, among tunings that ran at every size. It is the best choice if one
  // tuning must serve all sizes. Null if there is none.
  const TuningLoss* fixed = nullptr;
  // The loss of the variant's default tuning, which may be different at each size. Empty if no default was
  // measured.
  std::optional<TuningLoss> standard;

  TuningMap() = default;
  TuningMap(TuningMap&&) = default;
  TuningMap& operator=(TuningMap&&) = default;
  TuningMap(const TuningMap&) = delete;  // `fixed` points into `tunings`
  TuningMap& operator=(const TuningMap&) = delete;
};

// One tuning of a variant at one problem. Tunings are ranked by device time if all have one, else by call
// time.
struct RankedTuning {
  const Summary* summary = nullptr;
  Interval time = {};
  Interval over_best = {};  // this time over the best tuning's time; 1 for the best tuning
  bool tied = false;        // not distinguishable from the best; true for the best itself
  bool standard = false;    // true for the variant's default tuning at this problem
  Interval gain = {};       // the default tuning's time over this time; 0 samples: no default was measured
};

// Returns the correct tunings of the column's best variant at this problem, fastest first. Empty if no
// measurement has a tuning.
std::vector<RankedTuning> ranked_tunings(const StudyRow& row, const std::string& column);

// Returns one map for each column (programming model) of the group. It covers the variant that is best at the
// largest size, if several tunings of this variant ran. Device times are used if all measurements have one,
// else call times.
std::vector<TuningMap> tuning_maps(const StudyGroup& group);

}  // namespace sextant
