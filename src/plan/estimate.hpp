// How long the rest of a run will take, learned from what cases cost as it goes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

// A case's cost is taken as a + b * load, with load from the kernel's work. Each model learns its a and b
// over all its cases, and each variant of a kernel by how much it differs from its model. While b cannot be
// told from the scatter of cases, it is 0: a run's first sizes are near each other, and its last may be
// thousands of times larger.
class Estimate {
 public:
  explicit Estimate(const std::vector<Case>& cases);
  void ended(const Case& what, double seconds);
  double remaining() const;  // seconds; < 0 while nothing is known

 private:
  struct Line {  // sums of a least-squares fit
    double count = 0, load = 0, seconds = 0, load_squared = 0, load_seconds = 0, seconds_squared = 0;
    double at(double load) const;
    double slope() const;  // 0 where it is within its own uncertainty
  };
  struct Group {  // of one kernel's variant
    double cases_left = 0, load_left = 0;
    double seconds = 0, predicted = 0;  // of those that ended
  };
  Line all_;
  std::map<std::string, Line> models_;
  std::map<std::string, std::map<std::string, Group>> groups_;  // by model, then by kernel and variant
};

}  // namespace sextant
