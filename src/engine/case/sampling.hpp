// Decides how many samples a case gets: until its median is known well enough or its time is spent.
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
  virtual double now() = 0;  // returns seconds since a fixed moment; never decreases
};

class SteadyClock : public Clock {
 public:
  double now() override;
};

// Decides when sampling stops. enough() is called before every sample.
class StoppingRule {
 public:
  virtual ~StoppingRule() = default;
  // Returns true if sampling stops. `spent` is the seconds of sampling so far, including Sampling::before but
  // not Sampling::after.
  virtual bool enough(std::span<const double> samples, double spent) = 0;
};

// The stopping rule of `sextant run`. It takes at least least_samples() samples. Then sampling stops at the
// first of these conditions:
//
// - The half width of the median's 95 % interval, plus the clock's resolution, has stayed within max_noise of
//   the median for least_seconds.
// - The time case_seconds is spent, or max_samples are taken.
// - Half of case_seconds is spent, and slow noise keeps the interval wide (is_mostly_slow), so that more
//   samples do not help.
// - An eighth of case_seconds is spent, and slow noise has kept the interval at 2 to 6 times max_noise for
//   least_seconds.
class MedianRule : public StoppingRule {
 public:
  // `expected` is the seconds of one execution, as far as known. `resolution` is the time resolution of a
  // sample in seconds. `reserved` is the number of samples that follow later by other means; the limits are
  // lower by these samples and their time.
  MedianRule(const Settings& settings, double expected, double resolution = 0, int reserved = 0);
  bool enough(std::span<const double> samples, double spent) override;

 private:
  bool hardly_narrows(const Interval& interval, std::span<const double> samples, double spent);

  std::size_t least_, most_;
  double max_noise_, least_seconds_, case_seconds_, resolution_;
  // value of `spent` since which the interval is narrow enough; negative: it is not
  double tight_since_ = -1;
  // Value of `spent` since which slow noise keeps the interval wide; negative: it does not.
  double slow_since_ = -1;
  // Number of samples at which the interval is computed again. It is not computed after every sample, because
  // sorting takes time, too.
  std::size_t next_look_;
};

// Stops after three samples if all of them exceed a limit. Otherwise it follows another rule.
class EarlyStopRule : public StoppingRule {
 public:
  // `limit` is in seconds; 0: no limit. `rule` must outlive this object.
  EarlyStopRule(StoppingRule& rule, double limit) : rule_(rule), limit_(limit) {}
  bool enough(std::span<const double> samples, double spent) override;
  bool gave_up() const { return gave_up_; }

 private:
  static constexpr std::size_t looked_at = 3;
  StoppingRule& rule_;
  double limit_;
  bool gave_up_ = false;
};

// Returns the smallest number of samples of a case. It is settings.min_samples, but no more than fit into
// most_slow_seconds() (plan/guess.hpp), so that a slow baseline does not delay the rest. It is at least two,
// or one if an execution takes more than once_from() seconds. With settings.all_samples it is always
// min_samples.
std::size_t least_samples(const Settings& settings, double expected);

// Returns the settings on which the estimated duration of a case depends (plan/guess.hpp).
Sampled sampled_by(const Settings& settings);

// Returns the seconds above which a case gets only one execution, which is both checked and timed: 25 times
// case_seconds.
double once_from(const Settings& settings);

// Returns the seconds that one reading of the clock takes: the smallest difference of two readings.
double clock_cost(Clock& clock);

// Returns the resolution of the clock in seconds: the smallest step seen.
double clock_step(Clock& clock);

// A call counts as long if it takes more seconds than this, on one device or on ranks. Its executions before
// the sampling then become samples, too.
inline constexpr double long_call = 0.1;

// A function that runs `calls` executions in succession and returns their total seconds.
using TimedRow = std::function<double(int calls)>;
TimedRow in_a_row(const std::function<void()>& execute, Clock& clock);

// Returns the number of executions per sample. A sample then takes at least a thousand clock steps, and
// max_samples samples take at least least_seconds. It is 1 if an execution is `expected` to take 1 ms or
// more. Runs executions to find out.
int calls_per_sample(const TimedRow& timed, double expected, double step, const Settings& settings);

struct Sampling {
  std::function<void()> before;   // called before each sample, not timed; may be empty
  std::function<void()> execute;  // the timed function; it returns when the result is ready
  int calls = 1;                  // number of executions per sample; the sample is their mean
  // Called after each sample with the number of samples and the seconds of this one. It is not timed and does
  // not count as sampling time. Returning false ends sampling. May be empty.
  std::function<bool(std::size_t samples, double seconds)> after = {};
};

// Takes samples until `rule` ends sampling. `samples` may already contain some. `clock_cost_seconds` is
// subtracted from each time, but no sample becomes negative.
void sample(const Sampling& what, Clock& clock, double clock_cost_seconds, StoppingRule& rule,
            std::vector<double>* samples);

}  // namespace sextant
