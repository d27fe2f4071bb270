#include "record/device_time.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sextant {
namespace {

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Returns the number of launches. A library's copy on the device has none and counts as one.
std::int64_t launches_of(const Measurement& m) {
  std::int64_t launches = 0;
  for (const KernelLaunch& launch : m.launches) launches += launch.count;
  return std::max<std::int64_t>(launches, 1);
}

}  // namespace

Interval middle_mean(std::span<const double> samples, double step) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size(), quarter = n / 4;
  Interval interval;
  interval.samples = n;
  interval.median = mean(std::span(sorted).subspan(quarter, n - 2 * quarter));
  interval.minimum = mean(std::span(sorted).first(std::max<std::size_t>(quarter, 1)));
  if (!(interval.median > 0)) return interval;
  // `spread` is the standard error of the mean of the middle half. For normally distributed samples it is 1.1
  // standard deviations over sqrt(n), and a standard deviation is the distance of the quartiles over 1.35.
  // With fewer than four samples, half of their range is used instead.
  const double spread = n < 4 ? (sorted.back() - sorted.front()) / 2
                              : 0.82 * (sorted[3 * n / 4] - sorted[quarter]) / std::sqrt(double(n));
  const double error = std::hypot(spread, step / std::sqrt(12.0)) / interval.median;
  interval.low = interval.median * std::exp(-1.96 * error);
  interval.high = interval.median * std::exp(1.96 * error);
  return interval;
}

bool copies_itself(const Measurement& m) {
  double kernels = 0;
  for (const KernelLaunch& launch : m.launches) kernels += launch.time;
  return !m.launches.empty() && kernels < median_interval(m.device_times).median / 2;
}

bool compare_on_device(const Measurement& a, const Measurement& b) {
  const bool has_launches = !a.launches.empty() || !b.launches.empty();  // otherwise none were recorded
  return !a.device_times.empty() && !b.device_times.empty() && has_launches &&
         launches_of(a) == launches_of(b) && !copies_itself(a) && !copies_itself(b);
}

}  // namespace sextant
