// Measures serial, compute-bound code on several cores concurrently, if a trial shows that this changes no
// times.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "engine/form/settings.hpp"
#include "record/environment.hpp"
#include "run/progress.hpp"

namespace sextant {

// Maximum number of concurrent cases whose data fit in a core's own cache. Such cases end so quickly that
// storing their results keeps another core busy. They are measured after the cases that compute for long.
inline constexpr std::size_t most_slots_in_cache = 3;

struct OnCores {
  std::vector<Case> cases;  // cases with the most operations first; empty: no case is measured concurrently
  std::vector<WorkerSlot> slots;
  std::vector<int> free_processors = {};  // processors of the cores that no slot uses
  // True if cases on a GPU are measured at the same time, from the free processors. Their calls
  // then take longer (data/h100/study-beside.txt), so it is only for runs that time the calls again in later
  // processes.
  bool gpu_beside = false;
  // `meanwhile` runs once on a separate thread, concurrently with the cases, after the code for the GPU is
  // loaded. It must not keep a core busy. `afterwards` then handles its results, never at the same time as
  // another callback. Both may be empty.
  std::function<void()> meanwhile = {}, afterwards = {};
};

// Chooses the cases to measure concurrently (engine/concurrent/core_slots.hpp) and the cores for them. The
// result is empty if this saves little time, if there are fewer than six cores, or if a trial shows that
// concurrent calls take longer by more than `max_noise`. The trial's result is printed and added to `learnt`.
OnCores for_cores(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                  ProgressReporter& progress, Environment* learnt);

}  // namespace sextant
