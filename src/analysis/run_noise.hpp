// How far two runs of the same thing lie apart: within a run, from its samples; between runs, from repeats or
// from what the compared cases have in common. docs/comparing.md gives the reasons and what it was tried on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/statistics.hpp"

namespace sextant {

// median_interval of samples in the order they were taken, its bounds moved away from the median (on the
// logarithmic scale) by the square root of how much longer their dependence makes the series than it is
// worth.
Interval dependent_median_interval(std::span<const double> samples);

// 1 for independent samples: 1 + 2 * the sum of the autocorrelations of "above the median or not", over the
// lags until they first fall below 0.05 (50 at most).
double dependence(std::span<const double> samples);

// Run-to-run noise of a ratio of medians of single runs, on the logarithmic scale.
struct RunNoise {
  enum class Source { unknown, comparison, repeats };
  Source source = Source::unknown;
  double quartile = 0;  // three quarters of the ratios of runs of the same thing are nearer to 1 than this
  // Half the width of the 95 % interval that this noise alone gives a ratio.
  double interval() const;
  // A ratio nearer to 1 than this is not told from noise.
  double limit() const;
};

// From the logarithms of ratios between runs. Fewer than `min_noise_ratios`: source unknown.
inline constexpr std::size_t min_noise_ratios = 4;
RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source);

}  // namespace sextant
