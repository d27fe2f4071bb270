// Describes a search for the best tuning of a variant: the tunings it tried, and the winner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// One tuning that the search tried. Its times are in seconds. Search::goal tells which kind of time they are;
// 0 means no time.
struct SearchStep {
  Tuning tuning;
  bool known = false;  // true if the result was taken from the results file instead of measured
  Effort effort = Effort::measured;
  Status status = Status::ok;
  std::string reason;  // why the tuning has its status; set for every status except ok
  double time = 0, low = 0, high = 0;
  std::int64_t samples = 0;
  double cost = 0;  // seconds spent on measuring this tuning
};

// One of the best tunings of a search. At the end these are measured again, alternating with one another.
struct Finalist {
  Tuning tuning;
  double time = 0;  // median seconds of the alternating measurements
  // its time over the winner's time with a 95 % interval, from pairs of successive measurements
  Interval ratio;
  bool tie = false;  // true if the measurements cannot distinguish it from the winner
};

struct Search {
  std::int64_t session = 0;
  Case space;            // the case that is tuned, with an empty tuning
  std::string strategy;  // name of the search strategy, such as "model"
  std::uint64_t seed = 0;
  std::string goal;   // which time is minimized: "device", "call" or "whole" (end to end)
  std::string prior;  // searches of other cases from which this search learned, joined by "; "; empty: none
  // number of tunings that the variant's constraint accepts, and number that it refuses
  std::int64_t points = 0, refused = 0;
  Tuning standard;  // default tuning for this problem
  std::vector<SearchStep> steps;
  std::vector<Finalist> finalists;  // the best tunings, winner first; empty: the search did not finish
  std::optional<Interval> gain;     // time of the default tuning over time of the winner
  std::string ended;                // why the search ended; empty: it did not finish
  std::int64_t sizes = 1;           // number of problem sizes of the kernel for which the winner was chosen
};

// Returns the step with the fastest tuning, or null if no step succeeded.
const SearchStep* best_of(const Search& search);
// Returns the tuning of the first finalist, or else of the fastest step. The tuning is empty if there is
// neither.
Tuning winner_of(const Search& search);

}  // namespace sextant
