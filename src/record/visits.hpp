// What several visits of a case say of its time. A visit is a short stay at a case in a process of its own:
// what differs between processes (where memory lies, what else the machine does) differs between visits, and
// shows. docs/explanation/measuring.md#visits.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// The median of a visit's calls, as the logarithm of its seconds.
struct VisitTime {
  int process = 0;
  double log = 0;
};

// Of the first stay and of each visit. Visits see the inputs more than once: where those on fresh inputs are
// the case's times, theirs are taken as much longer. Empty: nothing was timed.
std::vector<VisitTime> visit_times(const Measurement& measurement);

// The key of an environment that says how many stays, at most, a case of the session had; older sessions have
// none.
inline constexpr const char* most_visits_key = "run.visits";

// By how much processes differ in a session: standard deviations of visit times around their case's mean, by
// kind of case (device, model, length of the call). What is measured counts beside what is usual, as four
// residuals do.
class Spreads {
 public:
  void add(const Case& what, std::span<const VisitTime> times);
  double of(const Case& what, double seconds) const;

 private:
  std::map<std::string, std::vector<double>> residuals_;
};

// The mean of visits' logarithms, in which one that is further from their median than 2.5 times `spread`
// counts as that far. Its deviation joins what the visits differ by with `spread`, which counts as four
// degrees of freedom.
struct Centre {
  double log = 0, deviation = 0, degrees = 0;
  // Half the width of the interval of `normal`, a quantile of the normal distribution (Student's t, by the
  // first terms of its expansion by degrees of freedom; from four on within 2 %).
  double half_width(double normal) const;
};
Centre centre_of(std::span<const double> logs, double spread);

inline constexpr double normal_95 = 1.960;    // two-sided 95 %
inline constexpr double normal_99_5 = 2.807;  // two-sided 99.5 %

// The interval (95 %) of a case's time from two visits or more.
Interval interval_of(std::span<const VisitTime> times, double spread, const Measurement& measurement);
// From one stay, whose own interval is widened by what processes differ by.
Interval interval_of(const Interval& stay, double spread);

// What times say of two cases: they are equal within a margin (95 %), one is faster by more or by less (99.5
// %), or that is open.
enum class Decision : std::uint8_t { faster, equal, open };

inline constexpr double equal_within = 0.03;

struct Contest {
  Interval ratio;  // slow over fast, 95 %
  Decision decision = Decision::open;
};

// A side of a contest: its time, and its visits where it has some.
struct Contestant {
  const Interval& time;
  std::span<const VisitTime> visits;
  double spread = 0;
  bool is_on_gpu = false;
};

// By times alone.
Contest contest_of(const Interval& slow, const Interval& fast);

// `slow` over `fast`. Visits of the same processes are compared process by process; what differs between
// processes is half common to two cases on GPUs.
Contest contest(const Contestant& slow, const Contestant& fast);

}  // namespace sextant
