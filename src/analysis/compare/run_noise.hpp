// How far two runs of the same thing lie apart: within a run, from its samples; between runs, from repeats or
// from what the compared cases have in common. docs/comparing.md gives the reasons and what it was tried on.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/statistics.hpp"

namespace sextant {

// median_interval of samples in the order they were taken, its bounds moved away from the median (on the
// logarithmic scale) by the square root of how much longer their dependence makes the series than it is
// worth.
Interval dependent_median_interval(std::span<const double> samples);

// 1 for independent samples: 1 + 2 * the sum of the autocorrelations of "above the median or not", over the
// lags until they first fall below 0.05 (50 at most).
double dependence(std::span<const double> samples);

// The 95 % interval of by how much the values of `b` lie above those of `a`, whatever their distribution,
// from all their differences (E. L. Lehmann, Nonparametrics, 1975, on the shift that goes with Wilcoxon's
// rank-sum test). {false, …}: so few values know no such interval; 4 and 4 are the fewest of equal numbers.
struct Shift {
  bool known = false;
  double low = 0, high = 0;
};
Shift shift_interval(std::span<const double> a, std::span<const double> b);

// Run-to-run noise of a ratio of medians of single runs, on the logarithmic scale.
struct RunNoise {
  enum class Source { unknown, comparison, repeats };
  Source source = Source::unknown;
  double quartile = 0;  // three quarters of the ratios of runs of the same thing are nearer to 1 than this
  double tail = 0;      // 19 of 20 are nearer than this; 0: there are too few to say
  // Half the width of the 95 % interval that this noise alone gives a ratio.
  double interval() const;
  // A ratio nearer to 1 than this is not told from noise.
  double limit() const;
};

// From the logarithms of ratios between runs. Fewer than `min_noise_ratios`: source unknown.
inline constexpr std::size_t min_noise_ratios = 4;
RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source);

// A ratio of two runs, and how noisy their samples were: the larger noise(median_interval) of the two.
struct NoiseRatio {
  double log_ratio = 0, sample_noise = 0;
};

// Cases whose samples agree well within a run differ less between runs: three classes by sample noise, each
// with its own noise between runs where it has at least `min_class_ratios` ratios, else with that of all.
struct NoiseModel {
  RunNoise all;
  std::array<RunNoise, 3> classes;
  const RunNoise& at(double sample_noise) const;
  std::pair<double, double> limits() const;  // the least and the greatest of the classes
};
inline constexpr std::size_t min_class_ratios = 30;
NoiseModel noise_model(const std::vector<NoiseRatio>& ratios, RunNoise::Source source);

}  // namespace sextant
