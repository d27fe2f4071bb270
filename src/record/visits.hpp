// Estimates and compares times of cases that were measured in several processes. A visit is a short
// measurement of a case in a new process. Visits show effects that differ between processes, such as memory
// placement and other load. See docs/explanation/measuring.md#visits.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// The logarithm of the median call time of one visit, in seconds.
struct VisitTime {
  int process = 0;
  double log = 0;
};

// Returns the times of the first process and of each visit. Visits measure calls on inputs that the variant
// has processed before. If the case's own times are on fresh inputs, the visits' times are scaled by the
// ratio of fresh to seen times. The result is empty if nothing was timed.
std::vector<VisitTime> visit_times(const Measurement& measurement);

// The environment key of the most processes that measured a case, the first one included. Older sessions lack
// it.
inline constexpr const char* most_visits_key = "run.visits";

// Estimates how far processes differ, as standard deviations of logarithms of times. It collects deviations
// of visit times from their case's mean, by kind of case: device, model and length of the call. The estimate
// joins the measured deviations with a typical value, which has the weight of four residuals.
class Spreads {
 public:
  // Of device times, else of call times. The typical values are multiplied by `scale`.
  explicit Spreads(bool of_device_times = false, double scale = 1)
      : of_device_times_(of_device_times), scale_(scale) {}

  void add(const Case& what, std::span<const VisitTime> times);
  // Adds a ratio of two runs of one case that took about `seconds`. `sampling` is the standard deviation that
  // the samples of both runs explain.
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

// The mean of the visits' logarithms. A visit further than 2.5 times `spread` from the median is clamped to
// that distance. `deviation` joins the differences between the visits with `spread`, which has the weight of
// four degrees of freedom.
struct Centre {
  double log = 0, deviation = 0, degrees = 0;
  // Returns half the width of an interval, for a quantile `normal` of the normal distribution. The quantile
  // of Student's t is approximated by the first terms of its expansion in the degrees of freedom. The error
  // is below 2 % from four degrees on.
  double half_width(double normal) const;
};
Centre centre_of(std::span<const double> logs, double spread);
Centre centre_of(std::span<const VisitTime> times, double spread);
// The difference of two independent means. Its degrees of freedom are Welch's.
Centre difference(const Centre& of, const Centre& from);

inline constexpr double normal_95 = 1.960;    // Two-sided 95 %.
inline constexpr double normal_99_5 = 2.807;  // Two-sided 99.5 %.

// Returns the 95 % interval of a case's time from two or more visits.
Interval interval_of(std::span<const VisitTime> times, double spread, const Measurement& measurement);
// Returns the interval for a case measured in one process: its own interval, widened by the spread between
// processes.
Interval interval_of(const Interval& stay, double spread);

// The outcome of comparing two cases. They are equal within a margin (95 %), one is faster by any amount
// (99.5 %), or neither is certain.
enum class Decision : std::uint8_t { faster, equal, open };

// The margin, 0.03 for 3 %. It is set once, before anything is compared.
double equal_within();
void set_equal_within(double share);

struct Contest {
  Interval ratio;  // Slow over fast, 95 %.
  Decision decision = Decision::open;
  bool by_device = false;  // Device times decide; else call times.
};

// One case of a comparison, with its visits if there are any.
struct Contestant {
  const Measurement& measurement;
  const Interval& time;
  std::span<const VisitTime> visits;
  double spread = 0;
};

// Compares the two times only.
Contest contest_of(const Interval& slow, const Interval& fast);

// Compares `slow` with `fast`. `ratios`: what is known of ratios in their session. Two cases on GPUs are
// compared by their device times if these can be compared (record/device_time.hpp). Visits of the same
// process are compared pairwise, because a part of what differs between processes is common to two cases of
// one model, or on GPUs.
Contest contest(const Contestant& slow, const Contestant& fast, const RatioSpreads* ratios = nullptr);

}  // namespace sextant
