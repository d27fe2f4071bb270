// Times calls after pauses without work. A GPU and its host need time to wake up, so such calls take longer
// than calls in a row.
#pragma once

#include <functional>
#include <vector>

#include "engine/case/sampling.hpp"

namespace sextant {

// Returns the number of calls that are timed after pauses: 3 to 11, for about two seconds in all. `expected`
// is the seconds of a call.
int paused_calls(double gap, double expected);

// Calls `execute` once and then `calls` times after a pause. Returns the seconds of each call after a pause,
// less `clock_cost_seconds`.
std::vector<double> time_after_pauses(const std::function<void()>& execute,
                                      const std::function<void()>& pause, int calls, Clock& clock,
                                      double clock_cost_seconds);

}  // namespace sextant
