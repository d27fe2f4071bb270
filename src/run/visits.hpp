// Plans visits: after the first measurement of all cases, those that comparisons depend on are measured
// again, each time in a new process (docs/explanation/measuring.md#visits).
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

// Default limit of the processes that measure a case, the first one included.
inline constexpr int usual_visits = 8;

// Returns the settings of a visit: one check, then few samples.
Settings visit_settings(Settings settings);

// Cases to visit together: the contenders of an undecided problem, or a single case.
struct Wanted {
  std::vector<const Measurement*> cases;
  std::size_t stays = 0;  // Fewest processes that have measured any of the cases.
  // Closeness to a decision: logarithm of the ratio over half the width of its interval.
  double nearness = 0;
  double seconds = 0;  // Expected duration of the visits.
};

// How far processes differ in a run: in times, and in ratios of times.
struct SpreadsOfRun {
  Spreads times;
  RatioSpreads ratios;
};

// How well the times of a run's cases are known.
struct Widths {
  std::size_t timed = 0;  // with an interval
  std::size_t wide = 0;   // may differ by more than 5 % in another run
  std::size_t few = 0;    // too few samples for an interval
};

class Visits {
 public:
  // Adds a measurement of a case, with the visits that it has.
  void add(const Measurement& measurement);

  // Returns the cases that the next process visits within about `seconds`, problem by problem in random
  // order. First come undecided problems, with the fastest variant of each model that may win; those close to
  // a decision come first. Other cases follow, unless `only_open`.
  std::vector<Case> next(double seconds, bool only_open) const;

  // Adds the result of a visit. Returns the case with its visit, or with status wrong if the visit found a
  // wrong result. Returns nothing if the case is unknown or the visit failed.
  std::optional<Measurement> add(int process, const Measurement& visit);

  // Returns the number of compared problems for each decision.
  std::map<Decision, std::size_t> decisions() const;
  std::size_t visited() const { return visited_; }  // Number of visits so far.
  Widths widths() const;
  // Returns the largest number of a process that visited a case; 0: none did.
  int last_process() const;
  // Estimates the seconds of visits that may decide the open problems.
  double seconds_to_decide() const;

 private:
  using Contenders = std::vector<const Measurement*>;  // Fastest variant of each model at one problem,
                                                       // fastest first; of a single model each variant.

  Contenders contenders_of(const std::vector<Measurement>& problem, const SpreadsOfRun& spreads) const;
  SpreadsOfRun spreads() const;
  std::vector<Wanted> wanted_by_comparisons() const;
  std::vector<Wanted> wanted_by_others() const;

  std::map<std::string, std::vector<Measurement>> problems_;
  std::size_t visited_ = 0;
};

}  // namespace sextant
