// The best tunings that a results file knows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/results.hpp"

namespace sextant::tuner {

struct Winner {
  Case what;  // with its best tuning
  std::int64_t session = 0;
  double time = 0;               // seconds, the median that made it the best
  std::optional<Interval> gain;  // of the default's time over its; where a search ended with its final round
};

// One a space, in the order in which spaces come: the winner of its last search, or of what was measured the
// fastest (by the device's time where that is known). Spaces without tunables or without a result are left
// out.
std::vector<Winner> winners_of(const Results& results);

// The winner for a case: of its own space, or of the nearest size of its kernel, variant, type and device
// (the ratio of N decides); null if there is none.
const Winner* winner_for(const std::vector<Winner>& winners, const Case& what);

}  // namespace sextant::tuner
