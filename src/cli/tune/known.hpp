// What results files know of a space before it is searched.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "record/results.hpp"
#include "tuner/goal.hpp"

namespace sextant {

// The fastest tuning that a file has of a space, from a search or from `run -t all`.
struct BestKnown {
  Tuning tuning;
  std::int64_t points = 0;  // of the space that the file has
};

// Empty if no case of the space ended well and has the goal's time. `space`: with its default tuning; where
// that has threads and a case of the file has not, the case ran on all.
std::optional<BestKnown> best_known(const Results& results, const Case& space, tuner::Goal goal);

// What this machine measured and searched, with its threads and this code: the last of each key. What was
// skipped or timed out is left out, as it is tried again. `held` must outlive it.
struct KnownHere {
  std::map<std::string, const Measurement*> measurements;
  std::map<std::string, Search> searches;
};
KnownHere known_here(const Results& held, const Environment& environment);

// Seconds that the ceilings of a machine allow, as the last of the files' sessions measured them; 0: none
// did.
double least_time(std::span<const Results* const> files, const std::string& machine, const Case& space);

}  // namespace sextant
