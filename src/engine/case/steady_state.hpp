// Calls a variant until the clock and the temperature of its GPU stay, as in a program that runs for long.
#pragma once

#include <functional>
#include <string>

#include "engine/case/sampling.hpp"
#include "engine/case/state_reader.hpp"

namespace sextant {

struct SteadyPlan {
  double longest = 60;          // most seconds of calls
  double window = 10;           // seconds in which the state must stay
  double interval = 0.25;       // seconds between two readings of the state
  double most_degrees = 1;      // largest range of the temperature in a window, in degrees Celsius
  double most_of_clock = 0.01;  // largest relative difference of the mean clocks of the halves of a window
};

// Returns true if the readings of the last `plan.window` seconds have a clock or a temperature, and what they
// have stays. Readings must be in order.
bool is_steady(const std::vector<StateReader::Reading>& readings, const SteadyPlan& plan);

struct SteadyEnd {
  double seconds = 0;    // of the calls
  std::string obstacle;  // why the state is not steady; empty if it is
};

// Executes calls in a row until the state is steady. `run` executes calls and returns when they are complete.
// `expected` is the seconds of a call.
SteadyEnd call_until_steady(const std::function<void(int calls)>& run, double expected,
                            const StateReader::Read& read, Clock& clock, const SteadyPlan& plan);

}  // namespace sextant
