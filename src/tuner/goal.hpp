// The kind of time that a search minimizes.
#pragma once

#include <cstdint>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant::tuner {

// The kinds of time that a search can minimize:
// - device: time on the device, or the host's call time if that is unknown;
// - call: the host's call time;
// - whole: the call with its copies (end-to-end time); on the CPU, only the call.
enum class Goal : std::uint8_t { device, call, whole };

constexpr const char* name_of(Goal goal) {
  return goal == Goal::device ? "device" : goal == Goal::call ? "call" : "whole";
}

// The measurement's time of this kind, with its 95 % interval; all zero if it is unknown.
Interval goal_time(const Measurement& measurement, Goal goal);

// True if the measurement contains this kind of time. Call times that other GPUs disturbed do not count.
bool tells_goal_time(const Measurement& measurement, Goal goal);

}  // namespace sextant::tuner
