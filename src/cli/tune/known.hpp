// Finds what results files know of a space before it is searched.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "record/results.hpp"
#include "tuner/goal.hpp"

namespace sextant {

// The fastest tuning of a space in a file, from a search or from `run -t all`.
struct BestKnown {
  Tuning tuning;
  std::int64_t points = 0;  // Points of the space that the file contains.
};

// Returns nothing if no case of the space is ok and has the goal's time. `space` has its default tuning. If
// that includes threads and a case of the file does not, the case counts as using all threads.
std::optional<BestKnown> best_known(const Results& results, const Case& space, tuner::Goal goal);

// The last measurement and search of each key on this machine, with the same threads and code. Skipped and
// timed-out cases are missing, because they are tried again. `held` must outlive the result.
struct KnownHere {
  std::map<std::string, const Measurement*> measurements;
  std::map<std::string, Search> searches;
};
KnownHere known_here(const Results& held, const Environment& environment);

// Returns the lower bound in seconds from the machine's ceilings in the last session that has them, or 0 if
// none has.
double least_time(std::span<const Results* const> files, const std::string& machine, const Case& space);

}  // namespace sextant
