// Plans visits (docs/explanation/measuring.md#visits). A visit is a short repeated measurement of a case in a
// new process. Visits follow the first measurement of all cases, and go to cases with undecided comparisons
// first.
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

// Default for the maximum number of processes that measure a case, including the first one.
inline constexpr int usual_visits = 12;

// Returns the settings of a visit: one check, then few samples.
Settings visit_settings(Settings settings);

// Cases that are visited together: the fastest cases of an undecided problem, or a single case.
struct Wanted {
  std::vector<const Measurement*> cases;
  std::size_t stays = 0;  // smallest number of processes that have measured any of the cases
  // Closeness to a decision: the logarithm of the ratio of two times, divided by half the width of its
  // interval.
  double nearness = 0;
  double seconds = 0;  // expected seconds of the visits
};

// How well the times of a run's cases are known.
struct Widths {
  std::size_t timed = 0;  // number of cases with an interval
  std::size_t wide = 0;   // number of cases whose time may differ by more than 5 % in another run
  std::size_t few = 0;    // number of cases with too few samples for an interval
};

class Visits {
 public:
  // Adds the measurement of a case, including its earlier visits.
  void add(const Measurement& measurement);

  // Returns the cases for the next process to visit within about `seconds`, in random order. Undecided
  // problems come first: of each, the fastest variants of each model, and problems close to a decision before
  // others. Other cases follow, unless `only_open` is set.
  std::vector<Case> next(double seconds, bool only_open) const;

  // Adds the result of a visit. Returns the case with this visit, or with status wrong if the visit found a
  // wrong result. Returns nothing if the case is unknown or the visit failed.
  std::optional<Measurement> add(int process, const Measurement& visit);

  // Returns the number of problems whose comparison has each decision.
  std::map<Decision, std::size_t> decisions() const;
  std::size_t visited() const { return visited_; }  // number of visits so far
  Widths widths() const;
  // Returns the largest process number of any visit, or 0 if there was no visit.
  int last_process() const;
  // Estimates how many seconds of visits may decide the open problems.
  double seconds_to_decide() const;

 private:
  // The fastest variant of each programming model for one problem, fastest first. If all variants belong to
  // one model, it contains all variants.
  using Contenders = std::vector<const Measurement*>;

  Contenders contenders_of(const std::vector<Measurement>& problem, const SessionSpreads& spreads) const;
  SessionSpreads spreads() const;
  std::vector<Wanted> wanted_by_comparisons() const;
  std::vector<Wanted> wanted_by_others() const;

  std::map<std::string, std::vector<Measurement>> problems_;
  std::size_t visited_ = 0;
};

}  // namespace sextant
