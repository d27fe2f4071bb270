// Where a run's own time went: what precedes the cases, and the cases stage by stage.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "run/sweep.hpp"

namespace sextant {

class Timings {
 public:
  // What took the time since the last call, or since this was made.
  void add(const std::string& what);
  void add(const std::string& what, double seconds);
  StageTimes cases;
  // A table: seconds of the CPU's cases, of the GPUs', of both; the longest first; then the rest, which is
  // what the parent does between cases, and the sum.
  std::string text() const;

 private:
  double began_ = now(), last_ = began_;
  std::vector<std::pair<std::string, double>> others_;  // what is no stage of a case
};

}  // namespace sextant
