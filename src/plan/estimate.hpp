// Estimates the remaining time of a run from the durations of its finished cases.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

// Predicts the duration of a case as factor * (a + b * load), where the load follows from the kernel's bytes
// and operations. Each programming model has its own a and b; each variant of a kernel has its own factor. b
// is 0 until it is statistically significant, because its error grows with the size.
class Estimate {
 public:
  explicit Estimate(const std::vector<Case>& cases);
  void ended(const Case& what, double seconds);
  double remaining() const;  // seconds; negative before the first case ends

 private:
  struct Line {  // sums for a least-squares fit of seconds over load
    double count = 0, load = 0, seconds = 0, load_squared = 0, load_seconds = 0, seconds_squared = 0;
    double at(double load) const;
    double slope() const;  // the slope b; 0 if it is within its uncertainty
  };
  struct Group {  // the cases of one variant of a kernel
    double cases_left = 0, load_left = 0;
    double seconds = 0, predicted = 0;  // actual and predicted seconds of the finished cases
  };
  Line all_;
  std::map<std::string, Line> models_;
  // keys: programming model, then kernel and variant
  std::map<std::string, std::map<std::string, Group>> groups_;
};

}  // namespace sextant
