// Collects how much time a run spends in the steps before its cases, and in each stage of the cases.
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
  StageTimes cases, visits;
  // Returns a table of seconds for cases on the CPU, for cases on GPUs, for visits of both, and in all. Its
  // rows are the steps outside the cases, the stages of the cases (longest first), the parent's other work,
  // and the sum.
  std::string text() const;

 private:
  double began_ = now(), last_ = began_;
  // seconds of steps that are not stages of a case, by name
  std::vector<std::pair<std::string, double>> others_;
};

}  // namespace sextant
