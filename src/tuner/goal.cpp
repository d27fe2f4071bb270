#include "tuner/goal.hpp"

#include <cmath>

namespace sextant::tuner {
namespace {

std::vector<double> goal_times(const Measurement& measurement, Goal goal) {
  if (goal == Goal::energy) return measurement.energies;
  if (goal == Goal::edp) {
    std::vector<double> products = measurement.energies;
    for (std::size_t i = 0; i < products.size(); ++i) products[i] *= measurement.energy_times[i];
    return products;
  }
  if (goal == Goal::whole && measurement.what.device != "cpu") return measurement.end_to_end_times;
  if (goal == Goal::device && !measurement.device_times.empty()) return measurement.device_times;
  return measurement.call_times;
}

}  // namespace

Interval goal_time(const Measurement& measurement, Goal goal) {
  return median_interval(goal_times(measurement, goal));
}

double longest_worthwhile(Goal goal, double best, double idle_power) {
  if (!needs_energy(goal) || !(best > 0) || !(idle_power > 0)) return 0;
  return goal == Goal::energy ? best / idle_power : std::sqrt(best / idle_power);
}

bool tells_goal_time(const Measurement& measurement, Goal goal) {
  const bool by_calls = goal == Goal::call || (goal == Goal::device && measurement.device_times.empty()) ||
                        (goal == Goal::whole && measurement.what.device == "cpu");
  const bool moved = by_calls && measurement.isolation == Isolation::calls_disturbed;
  return !goal_times(measurement, goal).empty() && !moved;
}

}  // namespace sextant::tuner
