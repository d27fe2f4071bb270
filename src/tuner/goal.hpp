// What a search makes small.
#pragma once

#include <cstdint>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant::tuner {

// device: the device's time, or the host's call's where that is not known.
enum class Goal : std::uint8_t { device, call };

constexpr const char* name_of(Goal goal) { return goal == Goal::device ? "device" : "call"; }

// The search's time of a measurement, with its 95 % interval; all zero if it has none.
Interval goal_time(const Measurement& measurement, Goal goal);

}  // namespace sextant::tuner
