// How often to run a case: samples until the median is known well enough or the time for it is spent.
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

// A clock to sample by; tests bring their own.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() = 0;  // seconds since some fixed moment, never going back
};

class SteadyClock : public Clock {
 public:
  double now() override;
};

// Says when to stop. Asked after every sample.
class StoppingRule {
 public:
  virtual ~StoppingRule() = default;
  // `spent`: seconds since sampling began, what lies between samples included.
  virtual bool enough(std::span<const double> samples, double spent) = 0;
};

// The rule of `sextant run`: enough when the half width of the median's 95 % interval, the clock's resolution
// included, was at most max_noise of the median for least_seconds without a break, or case_seconds are spent,
// or there are max_samples, or what keeps the interval wide is slower than more samples could tell
// (is_mostly_slow): after half of case_seconds, and after an eighth where the interval is wider than twice
// max_noise, narrower than six times, and that noise was slow for least_seconds without a break. But never
// with fewer than least_samples().
class MedianRule : public StoppingRule {
 public:
  // `expected`: seconds one execution takes, as far as is known; `resolution`: what a sample is known to.
  MedianRule(const Settings& settings, double expected, double resolution = 0);
  bool enough(std::span<const double> samples, double spent) override;

 private:
  bool is_hopeless(const Interval& interval, std::span<const double> samples, double spent);

  std::size_t least_, most_;
  double max_noise_, least_seconds_, case_seconds_, resolution_;
  double tight_since_ = -1;  // when the interval became narrow enough; negative: it is not
  // When what keeps it wide became slower than samples could tell; negative: it is not.
  double slow_since_ = -1;
  std::size_t next_look_;  // at so many samples the interval is looked at again: sorting them costs time, too
};

// Another rule, but for a case that is not worth its samples: enough after three if all of them are above a
// limit.
class ScreeningRule : public StoppingRule {
 public:
  // `limit`: seconds; 0: none. `rule` must outlive this.
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
// hold up the rest; at least two, or one beyond once_from(). With settings.all_samples it is min_samples
// always.
std::size_t least_samples(const Settings& settings, double expected);

// The same as far as a guess of a case's cost asks (plan/guess.hpp).
Sampled sampled_by(const Settings& settings);

// Seconds from which one execution, checked and timed, is all that a case gets: 25 times case_seconds.
double once_from(const Settings& settings);

// What reading the clock costs: the smallest of many differences of two readings, seconds.
double clock_cost(Clock& clock);

// The smallest step the clock was seen to make: what a reading is known to, seconds.
double clock_step(Clock& clock);

// Seconds from which a call is long, on one device and in parts: the executions before the sampling are then
// samples.
inline constexpr double long_call = 0.06;

// The seconds that so many executions in a row take.
using TimedRow = std::function<double(int calls)>;
TimedRow in_a_row(const std::function<void()>& execute, Clock& clock);

// So many executions in a row make a sample: it then takes a thousand of the clock's steps, and max_samples
// of them take least_seconds. 1 for an execution that takes a millisecond, as `expected`, or is long enough.
// Executes until it knows.
int calls_per_sample(const TimedRow& timed, double expected, double step, const Settings& settings);

struct Sampling {
  std::function<void()> before;   // untimed, before each sample; may be empty
  std::function<void()> execute;  // timed: returns when the result is ready
  int calls = 1;                  // executions a sample, whose mean it is
  // Untimed, after each sample, with their number and what this one took; its own time is not part of what
  // sampling may take. False: that was the last one. May be empty.
  std::function<bool(std::size_t samples, double seconds)> after = {};
};

// Executes and times until the rule says enough; `samples` may hold some already, and gets each time less
// `clock_cost_seconds`, never below zero.
void sample(const Sampling& what, Clock& clock, double clock_cost_seconds, StoppingRule& rule,
            std::vector<double>* samples);

}  // namespace sextant
