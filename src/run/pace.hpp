// Compares the duration of earlier runs on this machine with the estimates of their cases. A dry run scales
// its estimates by the ratio.
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
  // Adds the sessions of the machine that `here` describes, and ignores all others.
  void learn(const Results& results, const Environment& here);

  // Returns the factor by which to multiply an estimate of the case's seconds. It is 1 if there are no
  // earlier cases.
  double factor(const Case& what) const;
  std::size_t cases() const;  // Cases that the factors come from.
  // Returns the median of the seconds from a session's start to its first case, most of which measure
  // ceilings. Returns 0 if unknown.
  double start() const;

 private:
  struct Spent {
    double seconds = 0, guessed = 0;
  };
  struct Learnt {
    Spent all;
    std::map<std::string, Spent> forms;  // By kernel and model.
    std::size_t cases = 0;
    std::optional<double> start;  // Seconds from the session's start to its first case.
  };
  void learn(const Session& session, const std::vector<const Measurement*>& measured);
  std::vector<const Learnt*> usual() const;

  std::vector<Learnt> sessions_;
};

// Learns from the results file at `path`, if it exists, and from the newest other files in its folder.
Pace pace_of_files(const std::string& path, const Environment& here);

}  // namespace sextant
