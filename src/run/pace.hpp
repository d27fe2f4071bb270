// How long this machine's earlier runs took, of what their cases were guessed to take: a dry run goes by it.
#pragma once

#include <cstdint>
#include <map>
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
  std::size_t cases() const { return cases_; }  // that it was learnt from
  // Seconds from a session's start to its first case, in the mean: mostly ceilings; 0: not known.
  double start() const { return sessions_ > 0 ? started_ / static_cast<double>(sessions_) : 0; }

 private:
  struct Spent {
    double seconds = 0, guessed = 0;
  };
  void learn(const Session& session, const std::vector<const Measurement*>& measured);

  Spent all_;
  std::map<std::string, Spent> forms_;  // by kernel and model
  std::size_t cases_ = 0, sessions_ = 0;
  double started_ = 0;
};

// Learns from the results file at `path`, if it is there, and from the newest others in its folder.
Pace pace_of_files(const std::string& path, const Environment& here);

}  // namespace sextant
