// Prediction intervals for kernels of unseen families, by split conformal prediction over groups.
#pragma once

#include <cstddef>
#include <span>

namespace sextant::predict {

// A case whose log time was predicted by a model that was not trained on its group.
struct HeldOutCase {
  std::size_t group = 0;  // any number, equal for all cases of a group such as a kernel family
  double residual = 0;    // measured minus predicted log time
  double difficulty = 1;  // expected size of the residual; at least least_difficulty
};

// Lower limit of the difficulty: log time difference between two measurements of one case.
inline constexpr double least_difficulty = 0.02;

struct Calibration {
  double quantile = 0;  // the interval is the predicted log time ± quantile × difficulty
  std::size_t groups = 0;
  // True if there are fewer groups than `level` needs (9 for 90 %). The quantile is then not reliable.
  bool few_groups = true;
  // Fraction of the cases inside intervals that were calibrated on the other groups; 0 if there is only one
  // group.
  double coverage = 0;

  // Root mean square of the scores, with equal weight for each group. Decisions use it instead of the
  // quantile, because the quantile of few groups depends on the worst group.
  double spread = 0;

  // Error variance that the history correction cannot remove, relative to the variance that it can remove.
  // Only for kernels with measured cases.
  double scatter = 0;

  double half_width(double difficulty) const;  // half width of the interval in log time
  double deviation(double difficulty) const;   // standard deviation of the log time
};

// Factor on a standard deviation after a correction that leaves the fraction `open` of the removable
// variance.
double left_of(double open, double scatter);

// Maximum-likelihood estimate of `scatter`, between 0.01 and 100, for exponentially distributed errors. Each
// case's difficulty must be the fraction of the variance that the history correction left.
double scatter_of(std::span<const HeldOutCase> cases);

// Calibrates intervals on held-out cases. The score of a case is |residual| / difficulty. The quantile is
// that of the pooled scores of all groups (Dunn, Wasserman and Ramdas, "Distribution-free prediction sets for
// two-layer hierarchical models", 2023). Its probability is the smallest one at which intervals from the
// other groups cover held-out groups by `level` on average.
//
// Half of the weight is equal for all groups, and half is equal for all cases. `level` is between 0 and 1.
// Without cases, `groups` is 0. Throws std::invalid_argument for a residual or a difficulty that is not
// finite.
Calibration calibrate(std::span<const HeldOutCase> cases, double level = 0.9);

}  // namespace sextant::predict
