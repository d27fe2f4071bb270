// Computes a selector's score from its answers.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// A crossover counts as found if it is predicted within this factor, and as measured if its size is known
// within this factor.
inline constexpr double near_factor = 2;

// A size at which the fastest option of a series of problems changes between CPU and GPU.
struct JudgedCrossover {
  std::string series;
  double size, factor;  // `factor`: ratio between this size and the nearest predicted one, at least 1
  bool bracketed;       // a crossover is predicted between the same two sizes
  bool lasts;           // true if another run should also find it within near_factor
  // Error of the CPU-to-GPU time ratio, in log time, that moves the crossover by a factor of two.
  double turn;
  double said;  // the nearest predicted size; infinite if there is none
  // log(measured time / predicted time) at this size, of the best CPU option and of the best GPU option.
  double cpu_off, gpu_off;
};

struct Crossovers {
  // Crossovers whose size is known within near_factor by the samples' intervals.
  std::vector<JudgedCrossover> found;
  std::size_t undetermined = 0;  // number of crossovers whose size is less certain
};

Crossovers crossovers_of(const DataSet& data, const std::vector<JudgedAnswer>& judged);

Score score_of(const std::string& selector, const DataSet& data, const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
