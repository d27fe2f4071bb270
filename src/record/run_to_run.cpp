#include "record/run_to_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

// Returns the 97.5 % point of Student's t distribution. The table ends at 12 degrees of freedom, whose value
// also serves for more.
double students_t(int degrees) {
  constexpr double points[] = {2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179};
  return points[std::clamp(degrees, min_repeated, 12) - min_repeated];
}

bool has_interval(const Interval& interval) {
  return interval.samples >= min_interval_samples && interval.low > 0 && interval.high >= interval.low;
}

std::string class_of(const Case& what) { return is_on_cpu(what.device) ? "cpu" : "gpu"; }

std::string key_of_class(const Case& what) { return "run_to_run." + class_of(what); }
std::string key_of_model(const Case& what) { return key_of_class(what) + "." + model_of(what.variant); }

}  // namespace

std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what) {
  for (const std::string& key : {key_of_model(what), key_of_class(what)}) {
    RunToRun noise;
    if (std::sscanf(value_of(environment, key).c_str(), "%lf of %d", &noise.deviation, &noise.pairs) == 2 &&
        noise.deviation >= 0 && noise.deviation < 100 && noise.pairs >= min_repeated)
      return noise;
  }
  return std::nullopt;
}

Interval across_runs(const Interval& interval, const RunToRun& noise) {
  if (!has_interval(interval)) return interval;
  const double between = students_t(noise.pairs) * noise.deviation;
  Interval wide = interval;
  wide.low = interval.median * std::exp(-std::hypot(std::log(interval.median / interval.low), between));
  wide.high = interval.median * std::exp(std::hypot(std::log(interval.high / interval.median), between));
  return wide;
}

}  // namespace sextant
