// What follows a run's first stays: further visits of the cases that its comparisons need, each round in a new process
// (docs/measuring.md#visits).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "record/measurement.hpp"
#include "record/visits.hpp"

namespace sextant {

// Stays that a case may have in all, its first one among them.
inline constexpr int usual_visits = 8;

// A visit of a case: one check, then few samples.
Settings visit_settings(Settings settings);

class Visits {
 public:
  // How a case's first stay came out.
  void add(const Measurement& measurement);

  // What the next process visits, problem by problem in random order, for about so many seconds: of each problem the fastest of each
  // model that may be its fastest. Problems that few visits may decide come first, settled ones no more.
  std::vector<Case> next(double seconds) const;

  // What a process found. Returns the case with its visit, or as wrong where it is wrong there; empty: it was no visit of a known case.
  std::optional<Measurement> add(int process, const Measurement& visit);

  // Of the problems that have a comparison: how many are decided so.
  std::map<Decision, std::size_t> decisions() const;
  std::size_t visited() const { return visited_; }  // cases, each time that one was

 private:
  using Contenders =
      std::vector<const Measurement*>;  // of a problem, the fastest of each model, fastest first

  Contenders contenders_of(const std::vector<Measurement>& problem) const;
  Spreads spreads() const;

  std::map<std::string, std::vector<Measurement>> problems_;
  std::size_t visited_ = 0;
};

}  // namespace sextant
