// Finds what results files already know about a tuning space before it is searched.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "record/results.hpp"
#include "tuner/goal.hpp"

namespace sextant {

// The fastest tuning of a space in a file. It comes from a search or from `run -t all`.
struct BestKnown {
  Tuning tuning;
  std::int64_t points = 0;  // Number of points of the space that the file contains.
};

// Returns the fastest tuning. Empty if no case of the space is correct and has the time that is the search's
// goal. `space` has its default tuning. If that includes a thread count and a case of the file does not, the
// case counts as using all threads.
std::optional<BestKnown> best_known(const Results& results, const Case& space, tuner::Goal goal);

// The last measurement of each case, and the last search of each space, on this machine with the same threads
// and code. Skipped and timed-out cases are left out, because they are tried again. `held` must outlive the
// result.
struct KnownHere {
  std::map<std::string, const Measurement*> measurements;
  std::map<std::string, Search> searches;
};
KnownHere known_here(const Results& held, const Environment& environment);

// Returns a lower bound of the time in seconds. It is computed from the machine's ceilings in the last
// session that has them. Returns 0 if no session has them.
double least_time(std::span<const Results* const> files, const std::string& machine, const Case& space);

}  // namespace sextant
