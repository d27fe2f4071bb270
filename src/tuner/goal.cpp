#include "tuner/goal.hpp"

namespace sextant::tuner {
namespace {

const std::vector<double>& goal_times(const Measurement& measurement, Goal goal) {
  if (goal == Goal::whole && measurement.what.device != "cpu") return measurement.end_to_end_times;
  if (goal == Goal::device && !measurement.device_times.empty()) return measurement.device_times;
  return measurement.call_times;
}

}  // namespace

Interval goal_time(const Measurement& measurement, Goal goal) {
  return median_interval(goal_times(measurement, goal));
}

bool tells_goal_time(const Measurement& measurement, Goal goal) {
  const std::vector<double>& times = goal_times(measurement, goal);
  const bool moved = &times == &measurement.call_times && measurement.isolation == Isolation::calls_disturbed;
  return !times.empty() && !moved;
}

}  // namespace sextant::tuner
