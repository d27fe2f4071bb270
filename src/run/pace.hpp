// Corrects the estimated duration of a run by the actual durations of earlier runs on this machine. Durations
// are scaled to an idle machine: a measured duration is divided by the slowdown of its session, and a dry run
// multiplies by the present slowdown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/case.hpp"
#include "record/environment.hpp"
#include "record/results.hpp"

namespace sextant {

// Seconds that the parts of a run took. They are stored in the session's environment.
struct RunSeconds {
  double start = 0;   // before the first case: mostly the ceilings
  double cases = 0;   // the first measurement of all cases
  double visits = 0;  // short repeated measurements in other processes (visits)
};
// Returns entries for a session's environment, with the load at the end of the run.
Environment recorded(const RunSeconds& seconds);

// Estimates the factor by which other programs slow down a run. `load` is the number of programs that run or
// wait for a processor.
double slowdown_of(double load, double processors);
// Returns the slowdown at the time for which `environment` was read.
double slowdown_of(const Environment& environment);

// Returns the maximum seconds for visits, if the first measurement of all cases took `first` seconds.
double most_seconds_of_visits(double first);

class Pace {
 public:
  // Learns from the sessions in `results` that ran on the machine that `here` describes. Ignores all others.
  void learn(const Results& results, const Environment& here);

  // Returns the factor by which to multiply the estimated seconds of the case. It is 1 if nothing was learnt.
  // `measured` tells whether the case is measured by a run or evaluated by a search for tunings (`sextant
  // tune`).
  enum class Measured : std::uint8_t { by_run, by_search };
  double factor(const Case& what, Measured measured = Measured::by_run) const;
  // Returns the number of cases from which the factors were learnt.
  std::size_t cases(Measured measured = Measured::by_run) const;
  // Returns the median of the seconds from a session's start to its first case, for sessions that measured
  // the peak rates of the devices. These take most of that time. Returns 0 if unknown.
  double start() const;
  // Returns the ratio of the actual time of visits to most_seconds_of_visits(), if that limit ended them.
  // Returns 0 if unknown.
  double visits() const;

 private:
  struct Spent {
    double seconds = 0, guessed = 0;
  };
  struct Learnt {
    Measured measured = Measured::by_run;
    Spent all;
    std::map<std::string, Spent> forms;  // actual and estimated seconds, by kernel and programming model
    std::size_t cases = 0;
    std::optional<double> start;  // seconds from the session's start to its first case
    std::optional<double> visits;
  };
  void learn(const Session& session, const std::vector<const Measurement*>& measured);
  void learn(const Session& session, const std::vector<const Search*>& searches);
  std::vector<const Learnt*> usual(Measured measured) const;

  std::vector<Learnt> sessions_;
};

// Learns from the results file at `path`, if it exists, and from the newest other files in its folder.
Pace pace_of_files(const std::string& path, const Environment& here);

}  // namespace sextant
