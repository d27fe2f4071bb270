// Intervals that hold for what was not seen before: split conformal prediction by groups.
#pragma once

#include <cstddef>
#include <span>

namespace sextant::predict {

// A case whose log time was predicted by a model that saw nothing of its group.
struct HeldOutCase {
  std::size_t group = 0;  // any numbers, equal within a group
  double residual = 0;    // measured minus predicted log time
  double difficulty = 1;  // how large the model expected that to be; counts as least_difficulty below it
};

// Log times are not known better than this: two measurements of one case differ by as much.
inline constexpr double least_difficulty = 0.02;

struct Calibration {
  double quantile = 0;  // the interval is the predicted log time ± quantile × difficulty
  std::size_t groups = 0;
  // Fewer groups than the level needs (9 for 90 %), were each group's cases as one: the quantile claims
  // little.
  bool few_groups = true;
  // Share of cases within intervals that the other groups gave, weighed as below; 0 for one group.
  double coverage = 0;

  // Root of the mean square of the scores, each group weighing the same: what decisions weigh errors by, as
  // the quantile of few groups is that of the worst.
  double spread = 0;

  // Of kernels that are remembered: the variance that stays whatever is known, in that which memory takes
  // away at most.
  double scatter = 0;

  double half_width(double difficulty) const;  // of the interval, in log time
  double deviation(double difficulty) const;   // standard deviation, in log time
};

// The share of a deviation that is left where memory leaves a share `open` of the variance.
double left_of(double open, double scatter);

// The `scatter` with which errors grow the likeliest as they did, of some between 0.01 and 100: that of
// exponentially distributed errors. A case's difficulty is the share of the variance that memory left open.
double scatter_of(std::span<const HeldOutCase> cases);

// The score of a case is |residual| / difficulty. The quantile is that of the pooled scores, as Dunn,
// Wasserman and Ramdas pool distributions of groups ("Distribution-free prediction sets for two-layer
// hierarchical models", 2023), at the least share at which groups that are held out are covered by `level` in
// the mean: so many of a new group's cases are to be expected within, if the groups are exchangeable. Half of
// a case's weight is that of its group, all of which weigh the same, and half its own, all cases weighing the
// same: large groups are of regular work, and so is most that is asked. It claims that of the mean, not of
// each group. (The bound that needs no asymptotics, by Lee, Barber and Willett, is that of the worst of few
// groups.) `level` is between 0 and 1. No cases: no groups. Throws std::invalid_argument for a residual or a
// difficulty that is not finite.
Calibration calibrate(std::span<const HeldOutCase> cases, double level = 0.9);

}  // namespace sextant::predict
