// A search for the best tuning of a variant: the tunings that it tried, and the winner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// One tuning that the search tried. Times are in seconds, of the kind that Search::goal names; 0: not timed.
// A search for the least energy stores joules, or joules times seconds, in their place.
struct SearchStep {
  Tuning tuning;
  bool known = false;  // true if the result comes from the results file
  Effort effort = Effort::measured;
  Status status = Status::ok;
  std::string reason;  // why the tuning has its status; set for every status except ok
  double time = 0, low = 0, high = 0;
  std::int64_t samples = 0;
  double cost = 0;  // seconds spent on measuring this tuning
};

// One of the best tunings of a search. At the end, the search measures these again, in alternation.
struct Finalist {
  Tuning tuning;
  double time = 0;  // median of the alternating measurements, in the unit of SearchStep::time
  // time relative to the winner's, with a 95 % interval from pairs of successive measurements
  Interval ratio;
  bool tie = false;  // true if it cannot be distinguished from the winner
};

struct Search {
  std::int64_t session = 0;
  Case space;            // the case to tune, with an empty tuning
  std::string strategy;  // name of the search strategy, such as "model"
  std::uint64_t seed = 0;
  // What is minimized: the time "device", "call" or "whole" (end to end), "energy", or "edp" (energy times
  // time).
  std::string goal;
  std::string prior;  // earlier searches that guided this one, separated by "; "; may be empty
  // number of tunings that the variant accepts, and number that it refuses
  std::int64_t points = 0, refused = 0;
  Tuning standard;  // default tuning for this problem
  std::vector<SearchStep> steps;
  std::vector<Finalist> finalists;  // best tunings, winner first; empty if the search did not finish
  std::optional<Interval> gain;     // time of the default tuning over time of the winner
  std::string ended;                // why the search ended; empty if it did not finish
  std::int64_t sizes = 1;           // number of problem sizes for which the winner was chosen
};

// Returns false if the search minimizes an energy.
inline bool minimizes_time(const Search& search) { return search.goal != "energy" && search.goal != "edp"; }
// Returns the step with the shortest time, or null if no step succeeded.
const SearchStep* best_of(const Search& search);
// Returns the tuning of the first finalist, or else of the fastest step. Empty if there is neither.
Tuning winner_of(const Search& search);

}  // namespace sextant
