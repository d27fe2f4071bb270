// How far two runs of the same thing lie apart: within a run, from its samples; between runs, from repeats or
// from what the compared cases have in common. docs/how-to/comparing.md gives the reasons and what it was
// tried on.
#pragma once

#include <map>
#include <span>
#include <string>
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

// The interval of by how much the values of `b` lie above those of `a`, whatever their distribution, from all
// their differences (E. L. Lehmann, Nonparametrics, 1975, on the shift that goes with Wilcoxon's rank-sum
// test), and their median. It misses with a probability of `miss`, 5 % as a rule. {false, …}: so few values
// know no such interval; of equal numbers 4 and 4 are the fewest for 5 %, 7 and 7 for 0.1 %.
struct Shift {
  bool known = false;
  double low = 0, high = 0;
  double middle = 0;
};
Shift shift_interval(std::span<const double> a, std::span<const double> b, double miss = 0.05);

// The mean of the middle half of a run's samples, for times that come in steps (a GPU's, of 32 ns): unlike
// the median it tells parts of a step. The bounds are 1.96 standard errors away, the step's included; minimum
// is the mean of the fastest quarter.
Interval middle_mean(std::span<const double> samples, double step);
inline constexpr double gpu_timer_step = 32e-9;  // seconds, of the GPU's timestamps (CUPTI)

// Run-to-run noise of a ratio of single runs, on the logarithmic scale.
struct RunNoise {
  enum class Source { unknown, comparison, repeats };
  Source source = Source::unknown;
  double quartile = 0;  // three quarters of the ratios of runs of the same thing are nearer to 1 than this
  double tail = 0;      // 19 of 20 are nearer than this; 0: there are too few to say
  double least = 0;     // no difference below it gets a verdict from single runs
  double tails = 1.5;   // of the tail, a difference has to exceed so many
  // Half the width of the 95 % interval that this noise alone gives a ratio.
  double interval() const;
  // A ratio nearer to 1 than this is not told from noise.
  double limit() const;
};

// From the logarithms of ratios between runs. Fewer than `min_noise_ratios`: source unknown.
inline constexpr std::size_t min_noise_ratios = 4;
RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source);

// What noise is learned for: cases of a kind (time, model, steadiness of samples), in units of what each case
// says of itself.
struct NoiseKind {
  std::string time, of;  // "device" and "cuda"; "call" and "serial within 1 %"
  double own = 1;  // the case's own uncertainty, on the logarithmic scale; 1: the kind's noise is its own
  double least = 0, tails = 1.5;  // see RunNoise
};
struct NoiseRatio {
  double log_ratio = 0;
  NoiseKind kind;
};

// Cases of a device's time move from run to run by a multiple of their own uncertainty, which is the kind's.
NoiseKind device_kind(const std::string& model, const Interval& base, const Interval& other);
// Call times: by how well the samples agree within a run (`sample_noise`: the larger noise(median_interval)).
NoiseKind call_kind(const std::string& model, double sample_noise);

class NoiseModel {
 public:
  NoiseModel() = default;
  NoiseModel(const std::vector<NoiseRatio>& ratios, RunNoise::Source source);
  // The kind's own where it has `min_kind_ratios`, else that of all ratios of its time, else of all.
  RunNoise at(const NoiseKind& kind) const;
  RunNoise::Source source() const { return all_.source; }

 private:
  RunNoise all_;
  std::map<std::string, RunNoise> times_, kinds_;
};
inline constexpr std::size_t min_kind_ratios = 20;

}  // namespace sextant
