// Estimates how much two runs of the same case differ. Within a run it uses the samples; between runs it uses
// repeated runs, or all compared cases. docs/how-to/comparing.md explains the method and its validation.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/statistics.hpp"

namespace sextant {

// Like median_interval, for samples in the order in which they were taken. Both bounds move away from the
// median by a factor of sqrt(dependence(samples)) on the logarithmic scale.
Interval dependent_median_interval(std::span<const double> samples);

// The factor by which autocorrelation reduces the number of independent samples; 1 for independent samples.
// It is 1 + 2 * (sum of the autocorrelations of "above the median"). The sum covers the lags up to the first
// one below 0.05, at most 50.
double dependence(std::span<const double> samples);

// Interval of the shift from `a` to `b`, and the median of all pairwise differences (`middle`). It belongs to
// Wilcoxon's rank-sum test and assumes no distribution (E. L. Lehmann, Nonparametrics, 1975). The interval
// misses the true shift with probability `miss`. `known` is false if there are too few values: with equal
// numbers, 4 and 4 suffice for 5 %, 7 and 7 for 0.1 %.
struct Shift {
  bool known = false;
  double low = 0, high = 0;
  double middle = 0;
};
Shift shift_interval(std::span<const double> a, std::span<const double> b, double miss = 0.05);

// The mean of the middle half of the samples, for quantized times (a GPU's timestamps have steps of 32 ns).
// Unlike the median, this mean resolves fractions of a step. The bounds are 1.96 standard errors away,
// quantization included. `minimum` is the mean of the fastest quarter.
Interval middle_mean(std::span<const double> samples, double step);
inline constexpr double gpu_timer_step = 32e-9;  // seconds; resolution of the GPU's timestamps (CUPTI)

// Run-to-run noise of a ratio of single runs, on the logarithmic scale.
struct RunNoise {
  enum class Source { unknown, comparison, repeats };
  Source source = Source::unknown;
  double quartile = 0;  // 75 % of the ratios between runs of the same case are closer to 1 than this
  double tail = 0;      // 95 % of them are closer to 1 than this; 0: too few ratios
  double least = 0;     // smaller differences never get a verdict from single runs
  double tails = 1.5;   // a difference must exceed this multiple of `tail`
  // Half-width of the 95 % interval that this noise alone gives a ratio.
  double interval() const;
  // A ratio closer to 1 than this cannot be distinguished from noise.
  double limit() const;
};

// Estimates the noise from logarithms of ratios between runs. With fewer than `min_noise_ratios`, the source
// is unknown.
inline constexpr std::size_t min_noise_ratios = 4;
RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source);

// A class of cases with a common noise model: same kind of time, model and steadiness of samples. Ratios are
// divided by `own` before they are pooled.
struct NoiseKind {
  std::string time, of;  // for example "device" and "cuda", or "call" and "serial within 1 %"
  double own = 1;        // the case's own uncertainty on the logarithmic scale; 1: ratios are not scaled
  double least = 0, tails = 1.5;  // see RunNoise
};
struct NoiseRatio {
  double log_ratio = 0;
  NoiseKind kind;
};

// For device times. The noise is a multiple of each case's own uncertainty, and cases of one model share the
// multiple.
NoiseKind device_kind(const std::string& model, const Interval& base, const Interval& other);
// For call times, by how well the samples of a run agree (`sample_noise`: the larger noise(median_interval)).
NoiseKind call_kind(const std::string& model, double sample_noise);

class NoiseModel {
 public:
  NoiseModel() = default;
  NoiseModel(const std::vector<NoiseRatio>& ratios, RunNoise::Source source);
  // The noise of this kind if it has `min_kind_ratios` ratios, else of all ratios of its time, else of all
  // ratios.
  RunNoise at(const NoiseKind& kind) const;
  RunNoise::Source source() const { return all_.source; }

 private:
  RunNoise all_;
  std::map<std::string, RunNoise> times_, kinds_;
};
inline constexpr std::size_t min_kind_ratios = 20;

}  // namespace sextant
