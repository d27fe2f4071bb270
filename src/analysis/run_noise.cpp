#include "analysis/run_noise.hpp"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

// Run-to-run ratios of loaded machines have the tails of Student's t with 2 degrees of freedom
// (docs/comparing.md): its 97.5 % point over its 87.5 % point is 4.303 / 1.604.
constexpr double interval_quartiles = 2.68;
// What a difference has to exceed, in quartiles; with the agreement of median and minimum that a verdict
// needs besides, fewer than 1 in 100 same cases do (measured: docs/comparing.md).
constexpr double limit_quartiles = 6;
constexpr std::size_t most_lags = 50;

}  // namespace

double dependence(std::span<const double> samples) {
  const std::size_t n = samples.size();
  if (n < 8) return 1;
  const double median = median_interval(samples).median;
  std::vector<double> above(n);
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i)
    mean += above[i] = samples[i] > median ? 1 : samples[i] < median ? 0 : 0.5;
  mean /= static_cast<double>(n);
  double variance = 0;
  for (double& value : above) {
    value -= mean;
    variance += value * value;
  }
  if (!(variance > 0)) return 1;
  double factor = 1;
  for (std::size_t lag = 1; lag <= std::min(most_lags, n / 4); ++lag) {
    double sum = 0;
    for (std::size_t i = lag; i < n; ++i) sum += above[i] * above[i - lag];
    if (sum / variance < 0.05) break;
    factor += 2 * sum / variance;
  }
  return std::min(factor, static_cast<double>(n));
}

Interval dependent_median_interval(std::span<const double> samples) {
  Interval interval = median_interval(samples);
  if (interval.samples < min_interval_samples || !(interval.low > 0)) return interval;
  const double stretch = std::sqrt(dependence(samples));
  interval.low = interval.median * std::pow(interval.low / interval.median, stretch);
  interval.high = interval.median * std::pow(interval.high / interval.median, stretch);
  return interval;
}

double RunNoise::interval() const { return interval_quartiles * quartile; }
double RunNoise::limit() const { return limit_quartiles * quartile; }

RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source) {
  if (log_ratios.size() < min_noise_ratios) return {};
  for (double& ratio : log_ratios) ratio = std::abs(ratio);
  const std::size_t rank = (3 * log_ratios.size() + 3) / 4 - 1;
  std::nth_element(log_ratios.begin(), log_ratios.begin() + static_cast<std::ptrdiff_t>(rank),
                   log_ratios.end());
  return {source, log_ratios[rank]};
}

}  // namespace sextant
