// Serial code that the memory does not bound: several such cases measured at a time, each on a core of its
// own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "record/case.hpp"
#include "record/statistics.hpp"

namespace sextant {

// Operations of a call from which it takes long on one core, and those for each byte of data from which what
// else the memory does is nothing beside them; and the share of a core's own cache that data fill so little
// of that nothing else is asked for.
inline constexpr double core_operations = 1e8, core_operations_per_byte = 32, share_of_core_cache = 1. / 3;

// Whether a call of the case computes so long on so little data.
bool computes_for_long(const Case& what);

// Whether the case is serial code on the host that computes so long on so little data, or whose data lie so
// well in a core's own cache of so many bytes (0: not known).
bool is_for_a_core(const Case& what, double core_cache);

// The cases by problem, those with the most operations first, each problem's in the order they had.
std::vector<Case> longest_problems_first(std::vector<Case> cases);

// How many times as long a call of the case takes on the first executor while the others execute it, too, as
// while they do nothing: the median of rounds alone, beside, beside, alone, and its interval. It takes so
// many rounds, and more while half of the interval is wider than `width` and there is time. Empty: a turn of
// the first did not come out right, it was stopped, or so many seconds were over before half of the rounds
// were. Each executor is used by a thread of its own while it is a neighbour.
struct Trial {
  int rounds;
  double seconds;
  double width;
};
std::optional<Interval> beside_over_alone(const Case& what,
                                          const std::vector<std::unique_ptr<CaseExecutor>>& executors,
                                          Trial trial, const std::function<bool()>& stop);

// Whether that shows that neighbours disturb: by more than half of `max_noise` for certain, or by more than
// twice that as it looks.
bool shows_disturbance(const Interval& ratio, double max_noise);

// Trials, each with so many executors and what it found: with all of them, then, where all disturb each
// other, with the first `fewer`, if that is fewer. Empty, or ended early, where a trial says nothing. Leaves
// the executors of the last one.
struct TrialFound {
  std::size_t executors;
  Interval ratio;
  bool disturbed;
};
std::vector<TrialFound> try_beside(const Case& what, std::vector<std::unique_ptr<CaseExecutor>>* executors,
                                   std::size_t fewer, Trial trial, double max_noise,
                                   const std::function<bool()>& stop);

}  // namespace sextant
