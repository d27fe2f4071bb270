// Decides whether the runs of two sides differ in the time of a case.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "record/visits.hpp"

namespace sextant {

// The times of one case on one side, from its correct and timed runs.
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

// Decides in two steps. First, it learns the noise: how much two runs of an unchanged case differ. Then it
// judges each case. Repeated runs measure the noise, and so do visits (short re-measurements in separate
// processes). Visits of one run miss effects on the whole run, such as a busy neighbour. The time ratios of
// the two sides give an estimate of these effects, and of the noise of cases without visits. This works
// because most cases do not change.
class Judge {
 public:
  // `threshold`: the smallest relative difference that matters, 0.05 for 5 %.
  explicit Judge(double threshold);

  void learn(const Summary& what, const CaseRuns& runs, ComparedTime time);
  // Call add_ratio() for each case after all calls of learn(). Then call learn_from_ratios() once.
  void add_ratio(const Summary& what, const CaseRuns& base, const CaseRuns& other, ComparedTime time);
  // Learns the noise from the ratios. `without_common` first subtracts the median ratio of all cases. Use it
  // for two different builds, whose median ratio is a real change.
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
    double seconds, log_ratio;
    double explained;  // standard deviation that samples and visits explain
    bool by_visits;
  };
  Centre within_run(const CaseRuns& runs, const Case& what, ComparedTime time) const;
  Centre centre(const CaseRuns& runs, const ComparedCase& c) const;

  // Returns the least difference of logarithmic times that counts as a change between two single runs. It
  // depends on the programming model, because a few unchanged cases differ by much more than most. 0: too few
  // cases are known.
  double tail(const Case& what, ComparedTime time) const;

  static constexpr double common_to_a_run = 0.5;  // deviation relative to that between processes

  // The noise of one kind of time (call or device).
  struct Known {
    explicit Known(bool device)
        : processes(device), runs(device, common_to_a_run), single(device, common_to_a_run) {}
    Spreads processes;  // between processes, from visits or repeated runs
    Spreads runs;       // between runs with visits, in addition to `processes`
    Spreads single;     // between runs without visits
    std::map<std::string, std::vector<double>> distances;  // between single runs, by model; sorted
  };
  Known& of(ComparedTime time) { return time == ComparedTime::device ? device_ : call_; }
  const Known& of(ComparedTime time) const { return time == ComparedTime::device ? device_ : call_; }

  double threshold_;  // on the logarithmic scale
  Known call_{false}, device_{true};
  std::vector<Ratio> ratios_;
  NoiseSource source_ = NoiseSource::typical;
};

}  // namespace sextant
