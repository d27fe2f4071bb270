// The best tunings in a results file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/results.hpp"

namespace sextant::tuner {

struct Winner {
  Case what;  // with its best tuning
  std::int64_t session = 0;
  double time = 0;  // median in seconds
  std::optional<Interval>
      gain;  // ratio of the default's time to this time, if the search ended with a final round
};

// One winner per space, in the order in which spaces occur. It is the winner of the space's last search, or
// otherwise the fastest measurement, by device time if known. Spaces without tunables or without a result are
// left out.
std::vector<Winner> winners_of(const Results& results);

// The winner for a case in its own space. Without one, the winner at the nearest size (by the ratio of N) of
// the same kernel, variant, type and device. Null if there is none.
const Winner* winner_for(const std::vector<Winner>& winners, const Case& what);

}  // namespace sextant::tuner
