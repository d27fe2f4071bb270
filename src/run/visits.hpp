// What follows a run's first stays: further visits of the cases that its comparisons need, each round in a
// new process (docs/explanation/measuring.md#visits).
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

// Cases that want a visit together: of a problem that is not settled, or one by itself.
struct Wanted {
  std::vector<const Measurement*> cases;
  std::size_t stays = 0;  // the fewest of any
  double nearness = 0;    // to a decision: the ratio's logarithm over its interval's half width
  double seconds = 0;     // that the visits are expected to take
};

class Visits {
 public:
  // How a case's first stay came out.
  void add(const Measurement& measurement);

  // What the next process visits, problem by problem in random order, for about so many seconds: of each
  // problem that is not settled the fastest of each model that may be its fastest, those first that few
  // visits may decide; then other cases.
  std::vector<Case> next(double seconds) const;

  // What a process found. Returns the case with its visit, or as wrong where it is wrong there; empty: it was
  // no visit of a known case.
  std::optional<Measurement> add(int process, const Measurement& visit);

  // Of the problems that have a comparison: how many are decided so.
  std::map<Decision, std::size_t> decisions() const;
  std::size_t visited() const { return visited_; }  // cases, each time that one was

 private:
  using Contenders =
      std::vector<const Measurement*>;  // of a problem, the fastest of each model, fastest first

  Contenders contenders_of(const std::vector<Measurement>& problem, const Spreads& spreads) const;
  Spreads spreads() const;
  std::vector<Wanted> wanted_by_comparisons() const;
  std::vector<Wanted> wanted_by_others() const;

  std::map<std::string, std::vector<Measurement>> problems_;
  std::size_t visited_ = 0;
};

}  // namespace sextant
