// What the points of a recorded space are compared by: a time, or another tool's objective.
#pragma once

#include <optional>
#include <string>

namespace sextant::tuner {

struct RecordedObjective {
  std::string name = "time";
  std::string unit = "s";  // empty: the file names none
  double seconds = 1e-3;   // of one unit of the file, if it is a time
  bool is_time = true;
  bool maximised = false;  // the largest value is the best
  bool positive = true;    // all values of the space are above 0; else they are compared by their differences
};

// The seconds of a unit that people write ("ms", "Microseconds", "miliseconds"); empty if it is none of time.
std::optional<double> seconds_in(const std::string& unit);

// Reads name and unit. A unit of time makes it a time; without a unit, a name such as "time" or
// "TotalDuration" does, in units of `default_seconds`. Rates ("GFLOP/s", "GB/s", "throughput", "GFLOPS/W")
// are maximised, all others minimised.
RecordedObjective objective_of(const std::string& name, const std::string& unit, double default_seconds);

}  // namespace sextant::tuner
