// The objective of a recorded tuning space: the time or other quantity by which its points are compared.
#pragma once

#include <optional>
#include <string>

namespace sextant::tuner {

struct RecordedObjective {
  std::string name = "time";
  std::string unit = "s";  // unit of the values; empty if the file does not name one
  double seconds = 1e-3;   // seconds per unit of the file, if it is a time
  bool is_time = true;
  bool maximised = false;  // true if the largest value is the best one
  // True if all values are above 0. Otherwise differences, not ratios, are compared.
  bool positive = true;
};

// Number of seconds in a unit of time, for common spellings ("ms", "Microseconds", "miliseconds"). Empty for
// other units.
std::optional<double> seconds_in(const std::string& unit);

// Interprets an objective by its name and unit. It is a time if the unit is one of time, or if there is no
// unit and the name is like "time" or "TotalDuration"; the unit is then `default_seconds`. Rates ("GFLOP/s",
// "throughput", "GFLOPS/W") are maximized, all other objectives are minimized.
RecordedObjective objective_of(const std::string& name, const std::string& unit, double default_seconds);

}  // namespace sextant::tuner
