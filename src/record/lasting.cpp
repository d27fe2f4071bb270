#include "record/lasting.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sextant {
namespace {

constexpr std::size_t parts = 8;
// 97.5 % point of Student's t distribution with parts - 1 degrees of freedom
constexpr double students_t = 2.365;
constexpr double normal = 1.960;  // 97.5 % point of the normal distribution

double median_of(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Splits the samples into `parts` consecutive blocks. Returns the sample variance of log(block median /
// median).
double variance_of_parts(std::span<const double> samples, double median) {
  double squares = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = i * samples.size() / parts, end = (i + 1) * samples.size() / parts;
    const double part = std::log(median_of(samples.subspan(begin, end - begin)) / median);
    squares += part * part;
  }
  return squares / (parts - 1);
}

}  // namespace

Interval lasting_interval(std::span<const double> samples) {
  Interval interval = median_interval(samples);
  if (samples.size() < min_lasting_samples || !(interval.minimum > 0)) return interval;
  const double down = std::log(interval.median / interval.low),
               up = std::log(interval.high / interval.median);
  // `explained` is the variance of the block medians that independent samples would have.
  const double error = (down + up) / 2 / normal, explained = static_cast<double>(parts) * error * error;
  const double slow =
      students_t * std::sqrt(std::max(0.0, variance_of_parts(samples, interval.median) - explained));
  interval.low = interval.median * std::exp(-std::hypot(down, slow));
  interval.high = interval.median * std::exp(std::hypot(up, slow));
  return interval;
}

bool is_mostly_slow(const Interval& lasting, std::span<const double> samples) {
  // The contributions of both kinds of noise add as squares. If they are equal, the sum is sqrt(2) times each
  // of them.
  return noise(lasting) > std::sqrt(2.0) * noise(median_interval(samples));
}

}  // namespace sextant
