// How noisy a run was: said at its end, with what repeats the noisy cases.
#pragma once

#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

class NoiseSummary {
 public:
  explicit NoiseSummary(double max_noise) : max_noise_(max_noise) {}
  void add(const Measurement& measurement);

  // How many cases are noisier than asked, the worst five, how many have too few samples to say, the
  // machine's load, and `again`, the command that repeats the noisy ones. Empty if nothing is noisy.
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

// "load average 7.9 on 2 processors": over the last minute, when it is asked; empty if it is not known.
std::string load_text();

}  // namespace sextant
