#include "engine/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>

#include "base/clock.hpp"
#include "engine/executor.hpp"
#include "record/statistics.hpp"

namespace sextant {

double SteadyClock::now() { return sextant::now(); }

double once_from(const Settings& settings) { return 25 * settings.case_seconds; }

std::size_t least_samples(const Settings& settings, double expected) {
  const auto wanted = static_cast<std::size_t>(std::max(settings.min_samples, 1));
  if (expected > once_from(settings)) return 1;
  const double fitting = expected > 0 ? 10 * settings.case_seconds / expected : 1e9;
  if (fitting >= static_cast<double>(wanted)) return wanted;
  return std::min(wanted, std::max<std::size_t>(2, static_cast<std::size_t>(fitting)));
}

MedianRule::MedianRule(const Settings& settings, double expected)
    : least_(least_samples(settings, expected)),
      most_(std::max(least_, static_cast<std::size_t>(std::max(settings.max_samples, 1)))),
      max_noise_(settings.max_noise),
      case_seconds_(settings.case_seconds),
      next_look_(least_) {}

bool MedianRule::enough(std::span<const double> samples, double spent) {
  if (samples.size() < least_) return false;
  if (samples.size() >= most_ || spent >= case_seconds_) return true;
  if (samples.size() < next_look_) return false;
  next_look_ = samples.size() + std::max<std::size_t>(1, samples.size() / 8);
  return noise(median_interval(samples)) <= max_noise_;
}

double clock_cost(Clock& clock) {
  double least = 1;
  for (int i = 0; i < 1000; ++i) {
    const double first = clock.now();
    least = std::min(least, clock.now() - first);
  }
  return std::max(0.0, least);
}

std::string timestamp_now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

void sample(const Sampling& what, Clock& clock, double clock_cost_seconds, StoppingRule& rule,
            std::vector<double>* samples) {
  const double already = std::accumulate(samples->begin(), samples->end(), 0.0);
  const double began = clock.now();
  double spent = already;
  while (!rule.enough(*samples, spent)) {
    if (what.before) what.before();
    const double start = clock.now();
    what.execute();
    const double end = clock.now();
    samples->push_back(std::max(0.0, end - start - clock_cost_seconds));
    spent = already + end - began;
  }
}

}  // namespace sextant
