// Computes medians, their confidence intervals, and ratios of medians.
#pragma once

#include <cstddef>
#include <span>

namespace sextant {

struct Interval {
  double low = 0, median = 0, high = 0;
  double minimum = 0;
  std::size_t samples = 0;
};

// With fewer samples, the median has no 95 % interval, because 2 * (1/2)^5 is more than 5 %.
inline constexpr std::size_t min_interval_samples = 6;

// Returns the median with a distribution-free 95 % confidence interval from order statistics (binomial; see
// docs/explanation/measuring.md). With fewer than 6 samples, low and high are the smallest and largest
// sample. All members are zero if there are no samples.
Interval median_interval(std::span<const double> samples);

// Returns the 1-based rank k for which the order statistics x(k) and x(n+1-k) enclose the median with at
// least 95 % probability. It is the largest k with P(Binomial(n, 1/2) < k) <= 2.5 %, or 0 for n < 6.
std::size_t median_rank(std::size_t samples);

// Returns the relative half-width (high - low) / 2 / median, which --max-noise limits. Infinity for fewer
// than 6 samples.
double noise(const Interval& interval);

// Returns numerator.median / denominator.median with a 95 % interval. The method combines both intervals on
// the logarithmic scale by variance recovery (MOVER; Donner and Zou, "Closed-form confidence intervals for
// functions of the normal mean and standard deviation", 2012). If one side has fewer than 6 samples, the
// extremes are divided. `samples` is the smaller number of samples, `minimum` the ratio of the minima. All
// members are zero unless both medians are positive.
Interval ratio_of_medians(const Interval& numerator, const Interval& denominator);

}  // namespace sextant
