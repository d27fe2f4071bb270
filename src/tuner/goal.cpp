#include "tuner/goal.hpp"

namespace sextant::tuner {

Interval goal_time(const Measurement& measurement, Goal goal) {
  const bool device = goal == Goal::device && !measurement.device_times.empty();
  return median_interval(device ? measurement.device_times : measurement.call_times);
}

}  // namespace sextant::tuner
