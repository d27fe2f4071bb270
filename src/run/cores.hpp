// Serial code that the memory does not bound: measured on several cores at a time, where that changes no
// times.
#pragma once

#include <string>
#include <vector>

#include "engine/concurrent/work_queue.hpp"
#include "engine/form/settings.hpp"
#include "record/environment.hpp"
#include "run/progress.hpp"

namespace sextant {

// Data in a core's own cache are measured on at most so many of the lanes, after what computes for long: such
// cases take moments, in which this program itself, which keeps what is measured, is one more at work.
inline constexpr std::size_t most_lanes_in_cache = 3;

struct OnCores {
  std::vector<Case> cases;  // the longest problems first; empty: none are measured beside others
  std::vector<Lane> lanes;
  // Done beside them, in a thread of its own, once code for the GPU is loaded: keeps no core busy, and is
  // done at most once. And what is done with what came of it, which may be nothing.
  std::function<void()> meanwhile = {}, afterwards = {};
};

// Those of the cases that are measured beside each other (engine/concurrent/core_lanes.hpp), and where. None
// where that would save little, where there are fewer than six cores, or where a trial shows that calls take
// longer beside others by more than `max_noise`. What the trial found is said, and added to `learnt`.
OnCores for_cores(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                  ProgressReporter& progress, Environment* learnt);

}  // namespace sextant
