// What a search for the best tuning tried and found: plain data that the tuner makes, the store keeps, and
// views show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// One point that was tried. Its time is that of the search's goal, in seconds; 0: it has none.
struct SearchStep {
  Tuning tuning;
  bool known = false;  // taken from the results file, not measured by this search
  Effort effort = Effort::measured;
  Status status = Status::ok;
  std::string reason;  // for every status but ok
  double time = 0, low = 0, high = 0;
  std::int64_t samples = 0;
  double cost = 0;  // seconds that trying it took
};

// One of the best, measured again in turns with the others.
struct Finalist {
  Tuning tuning;
  double time = 0;   // seconds, median over the turns
  Interval ratio;    // of its time over the winner's, paired by turns, 95 %
  bool tie = false;  // not told from the winner
};

struct Search {
  std::int64_t session = 0;
  Case space;            // its tuning is empty
  std::string strategy;  // model, …
  std::uint64_t seed = 0;
  std::string goal;   // device, call or whole: whose time it is
  std::string prior;  // what it learned from: names of spaces, joined by "; "; empty: nothing
  std::int64_t points = 0, refused = 0;  // admitted by the constraint, refused by it
  Tuning standard;                       // the default for this problem
  std::vector<SearchStep> steps;
  std::vector<Finalist> finalists;  // the winner first; empty: the search did not come to its end
  std::optional<Interval> gain;     // of the default's time over the winner's
  std::string ended;                // why; empty: it did not
  std::int64_t sizes = 1;           // of the kernel, for which its winner was chosen
};

// The fastest step; null if none ended well.
const SearchStep* best_of(const Search& search);
// The winner of the final round, or else the fastest step; empty if there is none.
Tuning winner_of(const Search& search);

}  // namespace sextant
