// The record of a search for the best tuning. The tuner makes this plain data, the store keeps it, and views
// show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// One tuning that the search tried. Its times are in seconds and of the kind that `Search::goal` names; 0
// means no time.
struct SearchStep {
  Tuning tuning;
  bool known = false;  // Taken from the results file instead of measured by this search.
  Effort effort = Effort::measured;
  Status status = Status::ok;
  std::string reason;  // Set for every status but ok.
  double time = 0, low = 0, high = 0;
  std::int64_t samples = 0;
  double cost = 0;  // Seconds spent on this step.
};

// One of the best tunings. Finalists are measured again, alternating with one another.
struct Finalist {
  Tuning tuning;
  double time = 0;   // Seconds, median over the alternating measurements.
  Interval ratio;    // Its time over the winner's, paired by measurement, 95 %.
  bool tie = false;  // Not distinguishable from the winner.
};

struct Search {
  std::int64_t session = 0;
  Case space;            // The case without a tuning.
  std::string strategy;  // Name of the strategy: model, …
  std::uint64_t seed = 0;
  std::string goal;   // Which time is minimized: device, call or whole.
  std::string prior;  // Names of the spaces that it learned from, joined by "; "; empty: none.
  std::int64_t points = 0, refused = 0;  // Tunings that the constraint admits, and refuses.
  Tuning standard;                       // Default tuning for this problem.
  std::vector<SearchStep> steps;
  std::vector<Finalist> finalists;  // The winner first; empty: the search did not finish.
  std::optional<Interval> gain;     // Time of the default over time of the winner.
  std::string ended;                // Reason for the end; empty: the search did not finish.
  std::int64_t sizes = 1;           // Number of the kernel's sizes that the winner was chosen for.
};

// Returns the fastest step, or null if no step succeeded.
const SearchStep* best_of(const Search& search);
// Returns the first finalist, or else the fastest step. The tuning is empty if there is neither.
Tuning winner_of(const Search& search);

}  // namespace sextant
