// The quantity by which points of a recorded space are compared: a time, or another tool's objective.
#pragma once

#include <optional>
#include <string>

namespace sextant::tuner {

struct RecordedObjective {
  std::string name = "time";
  std::string unit = "s";  // empty: the file contains none
  double seconds = 1e-3;   // seconds per unit of the file, if it is a time
  bool is_time = true;
  bool maximised = false;  // the largest value is the best
  bool positive = true;    // all values of the space are above 0; otherwise their differences are compared
};

// Seconds per unit, for common spellings ("ms", "Microseconds", "miliseconds"); empty if it is no unit of
// time.
std::optional<double> seconds_in(const std::string& unit);

// Interprets name and unit. A unit of time makes it a time. Without a unit, a name such as "time" or
// "TotalDuration" does, with `default_seconds` as the unit. Rates ("GFLOP/s", "GB/s", "throughput",
// "GFLOPS/W") are maximized, all others minimized.
RecordedObjective objective_of(const std::string& name, const std::string& unit, double default_seconds);

}  // namespace sextant::tuner
