// Some of a run's cases measured once more at its end, in other processes: how far do runs come out apart?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "engine/form/settings.hpp"
#include "record/run_to_run.hpp"
#include "run/progress.hpp"

namespace sextant {

class Repeats {
 public:
  // A case that has just ended.
  void add(const Measurement& measurement);

  // Those to repeat: of each model's correct ones with an interval up to a dozen, spread over the run, as long as all
  // together take no more than a twentieth of the run, or a second.
  std::vector<Case> chosen() const;

  // Measures them and adds what they tell to `learnt` (record/run_to_run.hpp). In words for the user; empty if nothing
  // was repeated.
  std::string learn(const Settings& settings, const Environment& environment, ProgressReporter& progress,
                    Environment* learnt) const;

 private:
  struct Ended {
    Case what;
    Interval call_time;
    double seconds;  // from the end of the case before to its own
  };
  double began_ = now(), last_ = began_;
  std::map<std::string, std::vector<Ended>> models_;
};

}  // namespace sextant
