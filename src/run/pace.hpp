// How long this machine's earlier runs took, of what their cases were guessed to take: a dry run goes by it.
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
  // Takes in the sessions of the machine that `here` describes; others say nothing of it.
  void learn(const Results& results, const Environment& here);

  // What a guess of the case's seconds is to be multiplied with; 1 where no earlier case is known.
  double factor(const Case& what) const;
  std::size_t cases() const;  // that it was learnt from
  // Seconds from a session's start to its first case, in the median: mostly ceilings; 0: not known.
  double start() const;

 private:
  struct Spent {
    double seconds = 0, guessed = 0;
  };
  struct Learnt {
    Spent all;
    std::map<std::string, Spent> forms;  // by kernel and model
    std::size_t cases = 0;
    std::optional<double> start;  // seconds to its first case
  };
  void learn(const Session& session, const std::vector<const Measurement*>& measured);
  std::vector<const Learnt*> usual() const;

  std::vector<Learnt> sessions_;
};

// Learns from the results file at `path`, if it is there, and from the newest others in its folder.
Pace pace_of_files(const std::string& path, const Environment& here);

}  // namespace sextant
