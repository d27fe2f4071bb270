// Result of evaluating one point of a space.
#pragma once

#include <cmath>
#include <string>

#include "record/measurement.hpp"

namespace sextant::tuner {

struct Evaluation {
  Status status = Status::ok;
  std::string reason;  // for every status except ok
  double time = 0;     // seconds
  double noise = 0;    // half width of the time's interval, relative to the time; 0: unknown
  double cost = 0;     // seconds that the evaluation took; 0: unknown

  bool usable() const { return status == Status::ok && time > 0 && std::isfinite(time); }
};

}  // namespace sextant::tuner
