// Medians and their intervals; pure functions.
#pragma once

#include <span>

namespace sextant {

struct Interval {
  double low = 0, median = 0, high = 0;
  double minimum = 0;
  std::size_t samples = 0;
};

// The median with its distribution-free 95 % confidence interval from order statistics (binomial; see
// docs/measuring.md). With fewer than 6 samples no such interval exists: low and high are the extremes.
// Empty input: all zero, samples 0.
Interval median_interval(std::span<const double> samples);

// (high - low) / 2 / median: the noise that --max-noise is held against; infinity for fewer than 6 samples.
double noise(const Interval& interval);

}  // namespace sextant
