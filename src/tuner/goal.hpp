// The time that a search minimizes.
#pragma once

#include <cstdint>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant::tuner {

// Goals of a search:
// - device: time on the device, or the host's call time if that is unknown;
// - call: the host's call time;
// - whole: the call with its copies; on the CPU, the call.
enum class Goal : std::uint8_t { device, call, whole };

constexpr const char* name_of(Goal goal) {
  return goal == Goal::device ? "device" : goal == Goal::call ? "call" : "whole";
}

// Time of a measurement for this goal, with its 95 % interval; all zero if there is none.
Interval goal_time(const Measurement& measurement, Goal goal);

// True if the measurement has that time. A call time that work of other GPUs disturbed does not count.
bool tells_goal_time(const Measurement& measurement, Goal goal);

}  // namespace sextant::tuner
