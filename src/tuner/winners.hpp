// Finds the best tunings in a results file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/results.hpp"

namespace sextant::tuner {

struct Winner {
  Case what;  // the case with its best tuning
  std::int64_t session = 0;
  double time = 0;  // median time in seconds, or the median of what `measured` names
  // "time" (in seconds), "energy" (in joules) or "energy_delay" (in joules times seconds)
  std::string measured = "time";
  // The default's time (or energy) divided by this one. Set only if the search ended with a final round.
  std::optional<Interval> gain;
};

// One winner for each tuning space, in order of first occurrence: the winner of the last search or, without a
// search, the fastest measurement (by device time if known). Spaces without tunables or without a result are
// left out.
std::vector<Winner> winners_of(const Results& results);

// The winner for this case's tuning space. Without one, the winner at the nearest problem size (by the ratio
// of N) for the same kernel, variant, type and device. Null if there is none.
const Winner* winner_for(const std::vector<Winner>& winners, const Case& what);

}  // namespace sextant::tuner
