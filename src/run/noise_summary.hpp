// Summarizes the noise of a run at its end, with the command that measures noisy cases again.
#pragma once

#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

class NoiseSummary {
 public:
  explicit NoiseSummary(double max_noise) : max_noise_(max_noise) {}
  void add(const Measurement& measurement);

  // Returns the number of cases above the allowed noise and the five worst, the number of cases with too few
  // samples, and the machine's load. `again` is the command that measures the noisy cases again. The text is
  // empty if there is nothing to report.
  std::string text(const std::string& load, const std::string& again) const;

 private:
  struct Noisy {
    double noise;
    std::string line;
  };
  double max_noise_;
  std::size_t timed_ = 0, few_ = 0;
  std::vector<Noisy> noisy_;
};

// Returns a text such as "load average 7.9 on 2 processors", over the last minute. It is empty if the load is
// unknown.
std::string load_text();

}  // namespace sextant
