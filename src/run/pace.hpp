// Compares the actual durations of earlier runs on this machine with the estimates for their cases. A dry run
// multiplies its estimates by the ratio.
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

class Pace {
 public:
  // Learns from the sessions in `results` that ran on the machine that `here` describes. Ignores all others.
  void learn(const Results& results, const Environment& here);

  // Returns the factor by which to multiply the estimated seconds of the case. It is 1 if nothing was learnt.
  double factor(const Case& what) const;
  std::size_t cases() const;  // number of cases from which the factors were learnt
  // Returns the median of the seconds from a session's start to its first case. Most of that time is spent on
  // measuring peak rates of the devices. Returns 0 if unknown.
  double start() const;

 private:
  struct Spent {
    double seconds = 0, guessed = 0;
  };
  struct Learnt {
    Spent all;
    std::map<std::string, Spent> forms;  // actual and estimated seconds, by kernel and programming model
    std::size_t cases = 0;
    std::optional<double> start;  // seconds from the session's start to its first case
  };
  void learn(const Session& session, const std::vector<const Measurement*>& measured);
  std::vector<const Learnt*> usual() const;

  std::vector<Learnt> sessions_;
};

// Learns from the results file at `path`, if it exists, and from the newest other files in its folder.
Pace pace_of_files(const std::string& path, const Environment& here);

}  // namespace sextant
