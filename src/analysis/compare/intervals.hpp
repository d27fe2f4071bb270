// Confidence intervals of the median of a sample, and of the shift between two samples.
#pragma once

#include <span>
#include <vector>

#include "record/statistics.hpp"

namespace sextant {

// Like median_interval, but widened for autocorrelation. `samples` are in the order in which they were taken.
// On the logarithmic scale, both bounds move away from the median by the factor sqrt(dependence(samples)).
Interval dependent_median_interval(std::span<const double> samples);

// Returns the factor by which autocorrelation reduces the number of independent samples; 1 for independent
// samples. It is 1 + 2 * (sum of the autocorrelations of "above the median"). The sum covers the lags up to
// the first one below 0.05, at most 50.
double dependence(std::span<const double> samples);

// Interval of the shift from `a` to `b`, by Wilcoxon's rank-sum test, which assumes no distribution (E. L.
// Lehmann, Nonparametrics, 1975). `middle` is the median of all pairwise differences. The interval misses the
// true shift with probability `miss`. `known` is false if there are too few values: 4 values in each sample
// suffice for 5 %, and 7 in each for 0.1 %.
struct Shift {
  bool known = false;
  double low = 0, high = 0;
  double middle = 0;
};
Shift shift_interval(std::span<const double> a, std::span<const double> b, double miss = 0.05);

}  // namespace sextant
