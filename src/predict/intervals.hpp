// Intervals for predictions of unseen groups (families of kernels), by split conformal prediction over
// groups.
#pragma once

#include <cstddef>
#include <span>

namespace sextant::predict {

// A case whose log time was predicted by a model that was not trained on its group.
struct HeldOutCase {
  std::size_t group = 0;  // number of the case's group; any numbers, equal within a group
  double residual = 0;    // measured minus predicted log time
  double difficulty = 1;  // expected size of the residual; at least least_difficulty
};

// Lower limit of the difficulty: two measurements of one case differ by this much in log time.
inline constexpr double least_difficulty = 0.02;

struct Calibration {
  double quantile = 0;  // the interval is the predicted log time ± quantile × difficulty
  std::size_t groups = 0;
  // True if there are fewer groups than the level needs (9 for 90 %), with each group counted as one case.
  // The quantile is then not reliable.
  bool few_groups = true;
  // Fraction of the cases that lie inside intervals calibrated on the other groups, with the weights of
  // `calibrate`. It is 0 if there is only one group.
  double coverage = 0;

  // Root mean square of the scores, with equal weight for each group. Decisions use it instead of the
  // quantile, because the quantile of few groups is that of the worst group.
  double spread = 0;

  // For kernels that have measured cases: the part of the error's variance that the history correction cannot
  // remove, relative to the part that it can remove.
  double scatter = 0;

  double half_width(double difficulty) const;  // half width of the interval in log time
  double deviation(double difficulty) const;   // standard deviation of the log time
};

// Factor on a standard deviation if the history correction leaves the fraction `open` of the variance.
double left_of(double open, double scatter);

// The most likely `scatter` between 0.01 and 100, if errors are exponentially distributed. The difficulty of
// each case must be the fraction of the variance that the history correction left.
double scatter_of(std::span<const HeldOutCase> cases);

// Calibrates intervals on held-out cases. The score of a case is |residual| / difficulty. The quantile is
// that of the pooled score distributions of the groups (Dunn, Wasserman and Ramdas, "Distribution-free
// prediction sets for two-layer hierarchical models", 2023). It is taken at the smallest probability for
// which intervals from the other groups cover held-out groups by `level` on average. If groups are
// exchangeable, the intervals also cover new groups by `level` on average, but not each single group. The
// non-asymptotic bound by Lee, Barber and Willett would be that of the worst of few groups.
//
// Half of the weight is equal for all groups, and half is equal for all cases. Large groups consist of
// regular kernels, about which users mostly ask. `level` is between 0 and 1. Without cases, `groups` is 0.
// Throws std::invalid_argument for a residual or a difficulty that is not finite.
Calibration calibrate(std::span<const HeldOutCase> cases, double level = 0.9);

}  // namespace sextant::predict
