#include "engine/case/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/clock.hpp"
#include "engine/form/settings.hpp"
#include "record/lasting.hpp"

namespace sextant {
namespace {

// Sampling may end early because of slow noise only after this many samples and seconds. Slow noise affects
// many successive samples, so more samples do not help.
constexpr std::size_t least_told_early = 2 * min_lasting_samples;
constexpr double least_seconds_told_early = 0.0125;
// Slow noise ends sampling early only if it is 2 to 6 times max_noise. Below, sampling may soon reach
// max_noise. Above, more samples still help.
constexpr double least_noise_told_early = 2, most_noise_told_early = 6;

// Returns `samples` less those that are reserved, but at least one.
std::size_t without(std::size_t samples, int reserved) {
  const auto taken = static_cast<std::size_t>(reserved);
  return samples > taken ? samples - taken : 1;
}

}  // namespace

double SteadyClock::now() { return sextant::now(); }

double once_from(const Settings& settings) { return 25 * settings.case_seconds; }

std::size_t least_samples(const Settings& settings, double expected) {
  const auto wanted = static_cast<std::size_t>(std::max(settings.min_samples, 1));
  if (settings.all_samples) return wanted;
  if (expected > once_from(settings)) return 1;
  const double fitting = expected > 0 ? most_slow_seconds(sampled_by(settings)) / expected : 1e9;
  if (fitting >= static_cast<double>(wanted)) return wanted;
  return std::min(wanted, std::max<std::size_t>(2, static_cast<std::size_t>(fitting)));
}

Sampled sampled_by(const Settings& settings) {
  return {settings.min_samples, settings.case_seconds, settings.all_samples, settings.stay_seconds};
}

MedianRule::MedianRule(const Settings& settings, double expected, double resolution, int reserved)
    : least_(without(least_samples(settings, expected), reserved)),
      most_(std::max(least_, without(static_cast<std::size_t>(std::max(settings.max_samples, 1)), reserved))),
      max_noise_(settings.max_noise),
      least_seconds_(settings.least_seconds),
      case_seconds_((settings.stay_seconds > 0 ? std::min(settings.stay_seconds, settings.case_seconds)
                                               : settings.case_seconds) -
                    reserved * expected),
      resolution_(resolution),
      next_look_(least_) {}

bool MedianRule::enough(std::span<const double> samples, double spent) {
  if (samples.size() < least_) return false;
  if (samples.size() >= most_ || spent >= case_seconds_) return true;
  if (samples.size() < next_look_) return false;
  next_look_ = samples.size() + std::max<std::size_t>(1, samples.size() / 8);
  const Interval interval = lasting_interval(samples);
  if (!(noise(interval) + resolution_ / interval.median <= max_noise_)) {
    tight_since_ = -1;
    return hardly_narrows(interval, samples, spent);
  }
  slow_since_ = -1;
  if (tight_since_ < 0) tight_since_ = spent;
  // noise that lasts longer than a few samples shows only over time
  return spent - tight_since_ >= least_seconds_;
}

// Called if the interval is too wide. Returns true if more samples would hardly narrow it.
bool MedianRule::hardly_narrows(const Interval& interval, std::span<const double> samples, double spent) {
  if (!is_mostly_slow(interval, samples)) {
    slow_since_ = -1;
    return false;
  }
  if (spent >= case_seconds_ / 2) return true;
  if (samples.size() < least_told_early || noise(interval) <= least_noise_told_early * max_noise_)
    return false;
  if (slow_since_ < 0) slow_since_ = spent;
  return spent >= std::max(case_seconds_ / 8, least_seconds_told_early) &&
         spent - slow_since_ >= least_seconds_ && noise(interval) <= most_noise_told_early * max_noise_;
}

bool EarlyStopRule::enough(std::span<const double> samples, double spent) {
  gave_up_ =
      limit_ > 0 && samples.size() == looked_at && *std::min_element(samples.begin(), samples.end()) > limit_;
  return gave_up_ || rule_.enough(samples, spent);
}

double clock_cost(Clock& clock) {
  double least = 1;
  for (int i = 0; i < 1000; ++i) {
    const double first = clock.now();
    least = std::min(least, clock.now() - first);
  }
  return std::max(0.0, least);
}

double clock_step(Clock& clock) {
  double step = 1;
  for (int i = 0; i < 1000; ++i) {
    const double first = clock.now();
    double second = clock.now();
    while (second == first) second = clock.now();
    const double third = clock.now();
    // Reading the clock may take longer than one step of the clock. The durations of two readings then still
    // differ by single steps.
    for (const double seen : {second - first, std::abs((third - second) - (second - first))})
      if (seen > 1e-10) step = std::min(step, seen);
  }
  return step;
}

TimedRow in_a_row(const std::function<void()>& execute, Clock& clock) {
  return [execute, &clock](int calls) {
    const double start = clock.now();
    for (int call = 0; call < calls; ++call) execute();
    return clock.now() - start;
  };
}

int calls_per_sample(const TimedRow& timed, double expected, double step, const Settings& settings) {
  constexpr double steps = 1000, long_enough = 1e-3;
  constexpr int most = 1'000'000;
  if (expected >= long_enough) return 1;
  const double wanted = std::max(steps * step, settings.least_seconds / std::max(settings.max_samples, 1));
  for (int calls = 1;;) {
    double fastest = wanted;
    for (int i = 0; i < 3; ++i) fastest = std::min(fastest, timed(calls));
    if (fastest >= wanted || calls == most) return calls;
    const double factor = std::clamp(1.1 * wanted / std::max(fastest, step), 1.0, 10.0);
    calls = std::clamp(static_cast<int>(std::ceil(factor * calls)), calls + 1, most);
  }
}

void sample(const Sampling& what, Clock& clock, double clock_cost_seconds, StoppingRule& rule,
            std::vector<double>* samples) {
  const double already = std::accumulate(samples->begin(), samples->end(), 0.0);
  double began = clock.now();
  double spent = already;
  while (!rule.enough(*samples, spent)) {
    if (what.before) what.before();
    const double start = clock.now();
    for (int call = 0; call < what.calls; ++call) what.execute();
    const double end = clock.now();
    samples->push_back(std::max(0.0, end - start - clock_cost_seconds) / what.calls);
    spent = already + end - began;
    if (!what.after) continue;
    if (!what.after(samples->size(), end - start)) return;
    began += clock.now() - end;
  }
}

}  // namespace sextant
