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

// Limits above which a case computes for long: operations per call, and operations per byte of its arrays. At
// this ratio, other memory traffic does not matter.
// share_of_core_cache: a case whose data fill at most this share of a core's own cache needs no such
// operations.
inline constexpr double core_operations = 1e8, core_operations_per_byte = 32, share_of_core_cache = 1. / 3;

// True if a call of the case exceeds both limits.
bool computes_for_long(const Case& what);

// True for serial host code with warm caches that computes for long, or whose data fit well into a core's own
// cache. `core_cache`: size of that cache in bytes; 0: unknown.
bool is_for_a_core(const Case& what, double core_cache);

// Sorts the cases by problem, those with the most operations first. The cases of one problem keep their
// order.
std::vector<Case> longest_problems_first(std::vector<Case> cases);

// Runs the case on the first executor, with the other executors idle and with all of them running it, too.
// Returns the median ratio of concurrent to isolated call time, with its interval.
// A round measures isolated, concurrent, concurrent, isolated. There are at least `rounds` rounds, and more
// while half of the interval is wider than `width` and less than `seconds` have passed.
// Returns nothing if the first executor fails, `stop` returns true, or time ends before half of the rounds
// are done. Each other executor is used by its own thread.
struct Trial {
  int rounds;
  double seconds;
  double width;
};
std::optional<Interval> beside_over_alone(const Case& what,
                                          const std::vector<std::unique_ptr<CaseExecutor>>& executors,
                                          Trial trial, const std::function<bool()>& stop);

// True if the ratio shows that concurrent cases disturb each other. Either the interval lies above 1 +
// max_noise / 2, or the median above 1 + 2 max_noise.
bool shows_disturbance(const Interval& ratio, double max_noise);

// Calibrates how many executors may run at once. Tests all of them, and, if they disturb each other, the
// first `fewer` of them. Returns one entry per test; a test without a result ends the calibration.
// `executors` keeps the executors of the last test.
struct TrialFound {
  std::size_t executors;
  Interval ratio;
  bool disturbed;
};
std::vector<TrialFound> try_beside(const Case& what, std::vector<std::unique_ptr<CaseExecutor>>* executors,
                                   std::size_t fewer, Trial trial, double max_noise,
                                   const std::function<bool()>& stop);

}  // namespace sextant
