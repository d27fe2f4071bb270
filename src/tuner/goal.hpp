// What a search minimizes: a kind of time, or an energy.
#pragma once

#include <cstdint>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant::tuner {

// Searches minimize one of these:
// - device: time on the device, or the host's call time if that is unknown;
// - call: the host's call time;
// - whole: the call with its copies (end-to-end time); on the CPU, only the call;
// - energy: joules of a call;
// - edp: joules of a call times its seconds (energy-delay product).
enum class Goal : std::uint8_t { device, call, whole, energy, edp };

constexpr const char* goal_names[] = {"device", "call", "whole", "energy", "edp"};
constexpr const char* name_of(Goal goal) { return goal_names[static_cast<int>(goal)]; }

constexpr bool needs_energy(Goal goal) { return goal == Goal::energy || goal == Goal::edp; }

// The measurement's time of this kind, or its energy, with its 95 % interval; all zero if it is unknown.
Interval goal_time(const Measurement& measurement, Goal goal);

// Returns the seconds of a call above which a tuning cannot be better than `best`, which is a time of this
// kind or an energy. The device draws at least `idle_power` watts. 0: no limit is known, or the goal is a
// time.
double longest_worthwhile(Goal goal, double best, double idle_power);

// True if the measurement contains this kind of time or energy. Call times that other GPUs disturbed do not
// count.
bool tells_goal_time(const Measurement& measurement, Goal goal);

}  // namespace sextant::tuner
