// What a search makes small.
#pragma once

#include <cstdint>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant::tuner {

// device: the device's time, or the host's call's where that is not known. whole: the call with its copies,
// which on the CPU is the call.
enum class Goal : std::uint8_t { device, call, whole };

constexpr const char* name_of(Goal goal) {
  return goal == Goal::device ? "device" : goal == Goal::call ? "call" : "whole";
}

// The search's time of a measurement, with its 95 % interval; all zero if it has none.
Interval goal_time(const Measurement& measurement, Goal goal);

// Whether it has that time; a call's that other GPUs' work moved is none.
bool tells_goal_time(const Measurement& measurement, Goal goal);

}  // namespace sextant::tuner
