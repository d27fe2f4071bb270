// Result of evaluating one tuning (a point of a tuning space).
#pragma once

#include <cmath>
#include <string>

#include "record/measurement.hpp"

namespace sextant::tuner {

struct Evaluation {
  Status status = Status::ok;
  std::string reason;  // why the status is not ok; empty for ok
  double time = 0;     // the measured time in seconds, which the search minimizes
  double noise = 0;    // half width of the time's interval, relative to the time; 0: unknown
  double cost = 0;     // seconds that the evaluation took; 0: unknown

  bool usable() const { return status == Status::ok && time > 0 && std::isfinite(time); }
};

}  // namespace sextant::tuner
