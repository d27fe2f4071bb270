// Selects serial cases that may be measured concurrently on separate cores, and tests whether they disturb
// each other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "record/case.hpp"
#include "record/statistics.hpp"

namespace sextant {

// A case computes for long if its calls exceed both limits: the number of operations, and the operations per
// byte of its arrays. Memory traffic of other cases then hardly matters. A case whose data fill at most
// share_of_core_cache of a core's own cache need not exceed them.
inline constexpr double core_operations = 1e8, core_operations_per_byte = 32, share_of_core_cache = 1. / 3;

// Returns true if a call of the case exceeds both limits.
bool computes_for_long(const Case& what);

// Returns true for serial host code with warm caches that computes for long, or whose data fit well into a
// core's own cache. `core_cache` is the size of that cache in bytes; 0: unknown.
bool is_for_a_core(const Case& what, double core_cache);

// Sorts the cases by problem; problems with the most operations come first. The cases of one problem keep
// their order.
std::vector<Case> longest_problems_first(std::vector<Case> cases);

// Runs the case on the first executor, once with the other executors idle (isolated), and once with all of
// them running it (concurrent). Returns the median ratio of concurrent to isolated call time, with its
// interval.
//
// A round measures isolated, concurrent, concurrent, isolated. There are at least `rounds` rounds. More
// follow while half of the interval is wider than `width` and less than `seconds` have passed.
//
// Returns nothing if the first executor fails, `stop` returns true, or time ends before half of the rounds
// are done. Each of the other executors runs in a separate thread.
struct Trial {
  int rounds;
  double seconds;
  double width;
};
std::optional<Interval> concurrent_over_isolated(const Case& what,
                                                 const std::vector<std::unique_ptr<CaseExecutor>>& executors,
                                                 Trial trial, const std::function<bool()>& stop);

// Returns true if the ratio of concurrent to isolated times shows that concurrent cases disturb each other.
// This is so if the interval lies above 1 + max_noise / 2, or the median above 1 + 2 max_noise.
bool shows_disturbance(const Interval& ratio, double max_noise);

// Finds out how many executors may run at once. Tests all of them and, if they disturb each other, the first
// `fewer` of them. Returns one entry per completed test. Afterwards `executors` contains only those of the
// last test.
struct TrialFound {
  std::size_t executors;
  Interval ratio;
  bool disturbed;
};
std::vector<TrialFound> try_concurrent(const Case& what,
                                       std::vector<std::unique_ptr<CaseExecutor>>* executors,
                                       std::size_t fewer, Trial trial, double max_noise,
                                       const std::function<bool()>& stop);

}  // namespace sextant
