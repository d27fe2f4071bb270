// Corrects the tolerance of a draft by trial runs.
#include "own/trial/trial_steps.hpp"

namespace sextant::own {

void correct_tolerance(TrialState* state) {
  constexpr double least_share = 1e-3;  // of the largest result, for the smallest one
  constexpr std::int64_t times = 8;
  const TrialPoint small = state->points()[0];
  TrialPoint large = small;
  for (const std::size_t one : state->free_sizes()) large[one] *= times;
  const WatchedRun first = state->run(state->description(), small);
  const WatchedRun second = state->run(state->description(), large);
  for (const WatchedRun* one : {&first, &second})
    if (!one->in_bounds() || one->has_nan || one->has_signs || one->smallest <= least_share * one->largest)
      return;
  if (second.largest < first.largest / 2)
    state->change([](DraftChanges* changes) { changes->relative_only = true; });
}

}  // namespace sextant::own
