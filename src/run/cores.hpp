// Measures serial code that is not memory-bound on several cores concurrently, if a trial shows that this
// changes no times.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "engine/form/settings.hpp"
#include "record/environment.hpp"
#include "run/progress.hpp"

namespace sextant {

// Limit of concurrent cases whose data fit in a core's cache, which follow the long-computing cases. These
// cases end so quickly that storing their results keeps another core busy.
inline constexpr std::size_t most_lanes_in_cache = 3;

struct OnCores {
  std::vector<Case> cases;  // The longest problems first; empty: no case is measured concurrently.
  std::vector<Lane> lanes;
  // `meanwhile` runs once, on a separate thread, concurrently with the cases, after the code for the GPU is
  // loaded. It must keep no core busy. `afterwards` then handles its results, if there are any.
  std::function<void()> meanwhile = {}, afterwards = {};
};

// Chooses the cases to measure concurrently (engine/concurrent/core_lanes.hpp) and the cores for them.
// The result is empty if this saves little time or if there are fewer than six cores. It is also empty if a
// trial shows that concurrent calls take longer by more than `max_noise`. The trial's result is printed and
// added to `learnt`.
OnCores for_cores(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                  ProgressReporter& progress, Environment* learnt);

}  // namespace sextant
