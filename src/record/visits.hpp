// Estimates and compares times of cases that were measured in several processes. A visit is a short
// measurement of a case in a new process. Visits show effects that differ between processes, such as memory
// placement and other load on the machine. See docs/explanation/measuring.md#visits.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// The median call time of one visit: `log` is the logarithm of its seconds.
struct VisitTime {
  int process = 0;
  double log = 0;
};

// Returns the times of the first process and of each visit. Visits measure calls on inputs that the variant
// has processed before. If the case's own times are on fresh inputs, the visits' times are scaled by the
// case's ratio of fresh to seen times. The result is empty if nothing was timed.
std::vector<VisitTime> visit_times(const Measurement& measurement);

// Key in the environment for the most processes that measured a case, including the first one. Older sessions
// lack it.
inline constexpr const char* most_visits_key = "run.visits";

// Estimates how much times differ between processes, as standard deviations of logarithms of times. It
// collects deviations of visit times from the mean of their case, by kind of case (device, model and duration
// of the call). Each estimate combines these deviations with a typical value, which has the weight of four
// deviations.
class Spreads {
 public:
  // Spreads of device times, else of call times. The typical values are multiplied by `scale`.
  explicit Spreads(bool of_device_times = false, double scale = 1)
      : of_device_times_(of_device_times), scale_(scale) {}

  void add(const Case& what, std::span<const VisitTime> times);
  // Adds the ratio of two measurements of one case that took about `seconds` in different runs. `sampling` is
  // the part of its standard deviation that the samples of both runs explain.
  void add_ratio(const Case& what, double seconds, double log_ratio, double sampling);
  double of(const Case& what, double seconds) const;
  // The number of deviations of the case's kind.
  std::size_t count(const Case& what, double seconds) const;

 private:
  bool of_device_times_;
  double scale_;
  std::map<std::string, std::vector<double>> residuals_;
};

// Estimates how far the ratio of two cases' times differs between processes that visited both. Effects that
// are common to a process, such as a busy neighbour, cancel in the ratio. It collects deviations from the
// mean ratio of two cases, by their devices and the length of the calls.
class RatioSpreads {
 public:
  // Adds two cases of one problem if two processes or more visited both.
  void add(const Case& a, std::span<const VisitTime> of_a, const Case& b, std::span<const VisitTime> of_b);
  // The standard deviation of the logarithm. `independent` is its value if nothing is common to a process. It
  // has the weight of four deviations.
  double of(const Case& a, const Case& b, double seconds, double independent) const;

 private:
  std::map<std::string, std::vector<double>> residuals_;
};

// How far processes differ in a session: in times, and in ratios of times.
struct SessionSpreads {
  Spreads times;
  RatioSpreads ratios;
};
// Learns from the measurements of one session. The ratios are those of each case over the first case of its
// problem.
SessionSpreads session_spreads(std::span<const Measurement* const> measurements);

// The mean of the visits' logarithms. A visit further than 2.5 times `spread` from the median is clamped to
// that distance. `deviation` joins the differences between the visits with `spread`, which has the weight of
// four degrees of freedom.
struct Centre {
  double log = 0, deviation = 0, degrees = 0;
  // Returns half the width of a confidence interval, given the quantile `normal` of the normal distribution.
  // The quantile of Student's t is approximated by the first terms of its expansion in the degrees of
  // freedom. The error is below 2 % from four degrees on.
  double half_width(double normal) const;
};
Centre centre_of(std::span<const double> logs, double spread);
Centre centre_of(std::span<const VisitTime> times, double spread);
// Returns the difference of two independent means, with degrees of freedom after Welch.
Centre difference(const Centre& of, const Centre& from);

// quantile of the normal distribution for a two-sided 95 % interval
inline constexpr double normal_95 = 1.960;
// quantile of the normal distribution for a two-sided 99.5 % interval
inline constexpr double normal_99_5 = 2.807;

// Returns the 95 % interval of a case's time from two or more visits.
Interval interval_of(std::span<const VisitTime> times, double spread, const Measurement& measurement);
// Returns the interval for a case that was measured in one process: `stay`, the interval of its samples,
// widened by the spread between processes.
Interval interval_of(const Interval& stay, double spread);

// The outcome of comparing two cases:
//   faster  one is faster, by any amount, with 99.5 % confidence
//   equal   both are equal within a margin, with 95 % confidence
//   open    neither is certain
enum class Decision : std::uint8_t { faster, equal, open };

// The margin within which two times count as equal, for example 0.03 for 3 %. It must be set before anything
// is compared.
double equal_within();
void set_equal_within(double share);

struct Contest {
  Interval ratio;  // slow over fast time with a 95 % interval
  Decision decision = Decision::open;
  bool by_device = false;  // true if device times decided, false if call times did
};

// One of two cases in a comparison, with its visits if there are any.
struct Contestant {
  const Measurement& measurement;
  const Interval& time;
  std::span<const VisitTime> visits;
  double spread = 0;
};

// Compares two times by their intervals only.
Contest contest_of(const Interval& slow, const Interval& fast);

// Compares `slow` with `fast`. `ratios`: what is known of ratios in their session. Two cases on GPUs are
// compared by their device times if these can be compared (record/device_time.hpp). Visits of the same
// process are compared pairwise, because a part of what differs between processes is common to two cases of
// one model, or on GPUs.
Contest contest(const Contestant& slow, const Contestant& fast, const RatioSpreads* ratios = nullptr);

}  // namespace sextant
