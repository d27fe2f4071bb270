// Decides whether the runs of two sides differ in the time of a case.
#pragma once

#include <vector>

#include "analysis/compare/compare.hpp"
#include "record/visits.hpp"

namespace sextant {

// The correct and timed runs of one case on one side.
struct CaseRuns {
  std::vector<VisitTime> times;  // one for each run; for a single run, one for each of its visits
  std::size_t runs = 0;
  double minimum = 0;  // seconds: the shortest time of all runs
  // Uncertainty of a single measurement from its samples alone: standard deviation of the log time.
  double sampling = 0;

  bool empty() const { return times.empty(); }
  bool is_single() const { return times.size() == 1; }
};
CaseRuns case_runs(const std::vector<const Summary*>& runs, ComparedTime time);

// Estimates first how far two runs of one case differ without any change, then judges the cases. The noise
// depends on the kind of case (record/visits.hpp). It is estimated from visits and repeated runs. For kinds
// of cases without these, it comes from the ratios of the two sides, because most cases do not change.
class Judge {
 public:
  // `threshold`: the smallest relative difference that matters, 0.05 for 5 %.
  explicit Judge(double threshold);

  void learn(const Summary& what, const CaseRuns& runs, ComparedTime time);
  // Call this for all cases after learn(), then learn_from_ratios() once.
  void add_ratio(const Summary& what, const CaseRuns& base, const CaseRuns& other, ComparedTime time);
  // `without_common`: removes the median ratio of all cases before it estimates the noise. Use it for two
  // different builds, whose median ratio is a change and no noise.
  void learn_from_ratios(bool without_common);
  NoiseSource source() const { return source_; }

  // Sets the times, the ratio, the verdict and its reason in `c`.
  void judge(const CaseRuns& base, const CaseRuns& other, ComparedCase* c) const;
  // Half the width of the 99.5 % interval of the ratio, on the logarithmic scale.
  double limit(const CaseRuns& base, const CaseRuns& other, const ComparedCase& c) const;

 private:
  struct Ratio {
    Case what;
    ComparedTime time;
    double seconds, log_ratio, sampling;
  };
  Spreads& spreads(ComparedTime time) { return time == ComparedTime::device ? device_ : call_; }
  const Spreads& spreads(ComparedTime time) const { return time == ComparedTime::device ? device_ : call_; }
  Centre centre(const CaseRuns& runs, const ComparedCase& c) const;

  double threshold_;  // smallest relative difference that matters, as a log ratio
  Spreads call_{false}, device_{true};
  std::vector<Ratio> ratios_;
  NoiseSource source_ = NoiseSource::typical;
};

}  // namespace sextant
