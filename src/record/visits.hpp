// Compares times of cases that were measured in several processes. A "visit" is a short measurement of a case
// in a new process. It shows effects that differ between processes, such as memory placement and other load.
// See docs/explanation/measuring.md#visits.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// Median call time of one visit. `log` is the logarithm of its seconds.
struct VisitTime {
  int process = 0;
  double log = 0;
};

// Returns the times of the first process and of each visit. Empty if nothing was timed. Visits time calls on
// inputs that were used before. If the case's own times are on fresh inputs, each visit's time is multiplied
// by the case's ratio of fresh to repeated inputs. The first process also records device times by CUPTI,
// which slows its later launches. So with two or more visits, its call times do not count.
std::vector<VisitTime> visit_times(const Measurement& measurement);

// Environment key for the largest number of processes that measured a case. Older sessions lack it.
inline constexpr const char* most_visits_key = "run.visits";

// Estimates how much times differ between processes, as standard deviations of log(time). It collects the
// deviations of visits from the mean of their case, by device, model and duration of the call. Each estimate
// also includes a typical value, with the weight of four visits.
class Spreads {
 public:
  // For device times or call times. The typical values are multiplied by `scale`.
  explicit Spreads(bool of_device_times = false, double scale = 1)
      : of_device_times_(of_device_times), scale_(scale) {}

  void add(const Case& what, std::span<const VisitTime> times);
  // Adds the ratio of two measurements of a case of about `seconds` in different runs. `sampling` is the
  // standard deviation that the samples alone explain.
  void add_ratio(const Case& what, double seconds, double log_ratio, double sampling);
  double of(const Case& what, double seconds) const;
  // Returns the number of deviations collected for this kind of case.
  std::size_t count(const Case& what, double seconds) const;

 private:
  bool of_device_times_;
  double scale_;
  std::map<std::string, std::vector<double>> residuals_;
};

// Estimates how much the ratio of two cases' times differs between processes. Effects that hit both cases in
// a process, such as another program, cancel in the ratio. Deviations from the mean ratio are collected by
// device and duration of the call.
class RatioSpreads {
 public:
  // Adds two cases of one problem, if at least two processes measured both.
  void add(const Case& a, std::span<const VisitTime> of_a, const Case& b, std::span<const VisitTime> of_b);
  // Returns the standard deviation of log(ratio). `independent` is its value for unrelated cases, which has
  // the weight of four deviations.
  double of(const Case& a, const Case& b, double seconds, double independent) const;

 private:
  std::map<std::string, std::vector<double>> residuals_;
};

// How much times, and ratios of times, differ between the processes of a session.
struct SessionSpreads {
  Spreads times;
  RatioSpreads ratios;
};
// Learns from the measurements of one session. The ratios compare each case with the first case of its
// problem.
SessionSpreads session_spreads(std::span<const Measurement* const> measurements);

// Mean of the visits' logarithms. Outliers are clamped to 2.5 times `spread` from the median. `deviation`
// combines the differences between the visits with `spread`, which has the weight of four degrees of freedom.
struct Centre {
  double log = 0, deviation = 0, degrees = 0;
  // Returns the half-width of a confidence interval, given the quantile `normal` of the normal distribution.
  // Student's t is approximated by the first terms of its expansion, with an error below 2 % from four
  // degrees of freedom on.
  double half_width(double normal) const;
};
Centre centre_of(std::span<const double> logs, double spread);
Centre centre_of(std::span<const VisitTime> times, double spread);
// Returns the difference of two independent means, with Welch's degrees of freedom.
Centre difference(const Centre& of, const Centre& from);

// quantile of the normal distribution for a two-sided 95 % interval
inline constexpr double normal_95 = 1.960;
// quantile of the normal distribution for a two-sided 99.5 % interval
inline constexpr double normal_99_5 = 2.807;

// Returns the 95 % interval of a case's time from two or more visits.
Interval interval_of(std::span<const VisitTime> times, double spread, const Measurement& measurement);
// Returns the interval of a case that was measured in one process: the interval `stay` of its samples,
// widened by the spread between processes.
Interval interval_of(const Interval& stay, double spread);

// The outcome of comparing two cases:
//   faster  one is faster, by any amount, with 99.5 % confidence
//   equal   their difference is within a margin, with 95 % confidence
//   open    undecided
enum class Decision : std::uint8_t { faster, equal, open };

// Margin within which two times count as equal: 0.03 for 3 %. Set it before the first comparison.
double equal_within();
void set_equal_within(double share);

struct Contest {
  Interval ratio;  // slow over fast time with a 95 % interval
  Decision decision = Decision::open;
  bool by_device = false;  // true if device times decided
};

// One of two cases to compare, with its visits if there are any.
struct Contestant {
  const Measurement& measurement;
  const Interval& time;
  std::span<const VisitTime> visits;
  double spread = 0;
};

// Compares two times by their intervals only, without visits.
Contest contest_of(const Interval& slow, const Interval& fast);

// Compares `slow` with `fast`, by device times if that is fair (record/device_time.hpp). Otherwise compares
// visits in the same process pairwise, because effects of the process partly cancel. `ratios` is the
// session's spread of ratios.
Contest contest(const Contestant& slow, const Contestant& fast, const RatioSpreads* ratios = nullptr);

}  // namespace sextant
