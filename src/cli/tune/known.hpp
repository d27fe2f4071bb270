// Finds what results files already know about a tuning space before it is searched.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "record/results.hpp"
#include "tuner/goal.hpp"

namespace sextant {

// The fastest tuning of a tuning space (a variant and a problem) in a file. It comes from a search or from
// `run -t all`.
struct BestKnown {
  Tuning tuning;
  std::int64_t points = 0;  // Number of points of the space that the file contains.
};

// Returns the fastest tuning. Empty if no case of the space is correct and has the kind of time that the
// search minimizes. `space` has its default tuning. If that tuning has a thread count and a case in the file
// has none, the case counts as using all threads.
std::optional<BestKnown> best_known(const Results& results, const Case& space, tuner::Goal goal);

// The last measurement of each case and the last search of each space, on this machine with the same threads
// and code. Skipped and timed-out cases are left out, so that they are tried again. The results passed as
// `held` must outlive this object.
struct KnownHere {
  std::map<std::string, const Measurement*> measurements;
  std::map<std::string, Search> searches;
};
KnownHere known_here(const Results& held, const Environment& environment);

// Returns a lower bound of the time in seconds. It is computed from the machine's ceilings in the last
// session that has them. Returns 0 if no session has them.
double least_time(std::span<const Results* const> files, const std::string& machine, const Case& space);

}  // namespace sextant
