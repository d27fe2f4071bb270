// Decides how often a case runs: until its median is known well enough or its time is spent.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/guess.hpp"
#include "record/statistics.hpp"

namespace sextant {

struct Settings;

// The clock that sampling uses. Tests supply their own.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() = 0;  // seconds since a fixed moment; never decreases
};

class SteadyClock : public Clock {
 public:
  double now() override;
};

// Decides when sampling stops. Asked before every sample.
class StoppingRule {
 public:
  virtual ~StoppingRule() = default;
  // `spent`: seconds of sampling so far, including Sampling::before but not Sampling::after.
  virtual bool enough(std::span<const double> samples, double spent) = 0;
};

// The stopping rule of `sextant run`. It takes at least least_samples() samples. Then sampling stops at the
// first of these conditions:
//
// - The half width of the median's 95 % interval, plus the clock's resolution, has stayed within max_noise of
//   the median for least_seconds.
// - The time case_seconds is spent, or max_samples are taken.
// - Half of case_seconds is spent, and noise too slow for more samples to resolve keeps the interval wide
//   (is_mostly_slow).
// - An eighth of case_seconds is spent, and such noise has held the interval at 2 to 6 times max_noise for
//   least_seconds.
class MedianRule : public StoppingRule {
 public:
  // `expected`: seconds of one execution, as far as known. `resolution`: time resolution of a sample in
  // seconds.
  MedianRule(const Settings& settings, double expected, double resolution = 0);
  bool enough(std::span<const double> samples, double spent) override;

 private:
  bool is_hopeless(const Interval& interval, std::span<const double> samples, double spent);

  std::size_t least_, most_;
  double max_noise_, least_seconds_, case_seconds_, resolution_;
  double tight_since_ = -1;  // time since which the interval is narrow enough; negative: it is not
  // Time since which slow noise keeps the interval wide; negative: it does not.
  double slow_since_ = -1;
  // Number of samples at which the interval is computed again. Sorting them takes time, too.
  std::size_t next_look_;
};

// Stops after three samples if all of them exceed a limit. Otherwise follows another rule.
class ScreeningRule : public StoppingRule {
 public:
  // `limit`: seconds; 0: none. `rule` must outlive this object.
  ScreeningRule(StoppingRule& rule, double limit) : rule_(rule), limit_(limit) {}
  bool enough(std::span<const double> samples, double spent) override;
  bool gave_up() const { return gave_up_; }

 private:
  static constexpr std::size_t looked_at = 3;
  StoppingRule& rule_;
  double limit_;
  bool gave_up_ = false;
};

// settings.min_samples, but no more than fit into six times case_seconds, so that a slow baseline does not
// delay the rest. At least two, or one if an execution exceeds once_from(). With settings.all_samples it is
// always min_samples.
std::size_t least_samples(const Settings& settings, double expected);

// The sampling settings that a cost estimate needs (plan/guess.hpp).
Sampled sampled_by(const Settings& settings);

// Seconds above which a case gets only one execution, checked and timed: 25 times case_seconds.
double once_from(const Settings& settings);

// Cost of reading the clock in seconds: the smallest difference of two readings.
double clock_cost(Clock& clock);

// Resolution of the clock in seconds: the smallest step seen.
double clock_step(Clock& clock);

// Seconds above which a call is long, on one device and on ranks. Executions before the sampling are then
// samples, too.
inline constexpr double long_call = 0.06;

// Runs `calls` executions in a row and returns their total seconds.
using TimedRow = std::function<double(int calls)>;
TimedRow in_a_row(const std::function<void()>& execute, Clock& clock);

// Number of executions per sample, so that a sample takes at least a thousand clock steps, and max_samples of
// them take least_seconds. It is 1 if an execution is long enough or is `expected` to take 1 ms. Runs
// executions to find out.
int calls_per_sample(const TimedRow& timed, double expected, double step, const Settings& settings);

struct Sampling {
  std::function<void()> before;   // Untimed. Called before each sample. May be empty.
  std::function<void()> execute;  // Timed. Returns when the result is ready.
  int calls = 1;                  // Executions per sample. The sample is their mean.
  // Untimed. Called after each sample with the number of samples and the seconds of this one. Its own time
  // does not count as sampling time. Returning false ends sampling. May be empty.
  std::function<bool(std::size_t samples, double seconds)> after = {};
};

// Takes samples until `rule` says enough. `samples` may hold some already. `clock_cost_seconds` is subtracted
// from each time, but no sample falls below zero.
void sample(const Sampling& what, Clock& clock, double clock_cost_seconds, StoppingRule& rule,
            std::vector<double>* samples);

}  // namespace sextant
