#include "tuner/goal.hpp"

namespace sextant::tuner {

Interval goal_time(const Measurement& measurement, Goal goal) {
  if (goal == Goal::whole && measurement.what.device != "cpu")
    return median_interval(measurement.end_to_end_times);
  const bool device = goal == Goal::device && !measurement.device_times.empty();
  return median_interval(device ? measurement.device_times : measurement.call_times);
}

}  // namespace sextant::tuner
