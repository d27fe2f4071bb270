#include "record/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sextant {

std::size_t median_rank(std::size_t samples) {
  if (samples < min_interval_samples) return 0;
  const double n = static_cast<double>(samples);
  double below = 0;  // P(X < k) for the current k
  // Logarithm of the binomial coefficient "n over i". Plain (1/2)^n would underflow beyond n = 1074.
  double log_choose = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    below += std::exp(log_choose - n * std::log(2.0));
    if (below > 0.025) return i;
    log_choose += std::log((n - static_cast<double>(i)) / (static_cast<double>(i) + 1));
  }
  return 0;  // not reached, because the sum exceeds 1/2 earlier
}

Interval median_interval(std::span<const double> samples) {
  const std::size_t n = samples.size();
  if (n == 0) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t rank = std::max<std::size_t>(median_rank(n), 1);
  return {.low = sorted[rank - 1],
          .median = n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2,
          .high = sorted[n - rank],
          .minimum = sorted.front(),
          .samples = n};
}

double noise(const Interval& interval) {
  if (interval.samples < min_interval_samples || !(interval.median > 0))
    return std::numeric_limits<double>::infinity();
  return (interval.high - interval.low) / 2 / interval.median;
}

Interval ratio_of_medians(const Interval& numerator, const Interval& denominator) {
  if (!(numerator.median > 0) || !(denominator.median > 0)) return {};
  Interval ratio;
  ratio.samples = std::min(numerator.samples, denominator.samples);
  ratio.median = numerator.median / denominator.median;
  ratio.minimum = denominator.minimum > 0 ? numerator.minimum / denominator.minimum : 0;
  const double down =
      std::log(numerator.median / std::max(numerator.low, std::numeric_limits<double>::min()));
  const double up = std::log(numerator.high / numerator.median);
  const double other_down =
      std::log(denominator.median / std::max(denominator.low, std::numeric_limits<double>::min()));
  const double other_up = std::log(denominator.high / denominator.median);
  const bool enough = ratio.samples >= min_interval_samples;
  const auto join = [enough](double a, double b) { return enough ? std::hypot(a, b) : a + b; };
  ratio.low = ratio.median * std::exp(-join(down, other_up));
  ratio.high = ratio.median * std::exp(join(up, other_down));
  return ratio;
}

}  // namespace sextant
