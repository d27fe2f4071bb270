// Collects where a run's time goes: the steps before the cases, and the cases by stage.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "run/sweep.hpp"

namespace sextant {

class Timings {
 public:
  // Records the time since the previous call, or since construction, under the name `what`.
  void add(const std::string& what);
  void add(const std::string& what, double seconds);
  StageTimes cases;
  // Returns a table of seconds for cases on the CPU, on GPUs and both. Its rows are the other steps, the
  // stages with the longest first, the parent's work between cases, and the sum.
  std::string text() const;

 private:
  double began_ = now(), last_ = began_;
  std::vector<std::pair<std::string, double>> others_;  // Times that are not stages of a case.
};

}  // namespace sextant
