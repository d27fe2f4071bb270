// Computes a selector's score from its answers, for evaluate.cpp.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// A crossover counts as found if it is predicted within this factor. It counts as measured if its size is
// known within this factor.
inline constexpr double near_factor = 2;

// A size at which the fastest option of a series of problems moves between CPU and GPU.
struct JudgedCrossover {
  std::string series;
  double size, factor;  // `factor`: ratio between this size and the nearest predicted one, at least 1
  bool bracketed;       // a crossover is predicted between the same two sizes
  bool lasts;           // true if another run should also find it within near_factor
  // Difference of CPU and GPU log time at half or at twice this size, whichever is smaller. A prediction
  // error of this amount in the ratio moves the crossover by a factor of two.
  double turn;
  double said;  // the nearest predicted size; infinite if there is none
  // log(measured time / predicted time) at this size, of the best CPU option and of the best GPU option.
  double cpu_off, gpu_off;
};

struct Crossovers {
  // Crossovers whose size the samples' intervals determine within near_factor.
  std::vector<JudgedCrossover> found;
  std::size_t undetermined = 0;  // number of crossovers whose size they do not determine
};

Crossovers crossovers_of(const DataSet& data, const std::vector<JudgedAnswer>& judged);

Score score_of(const std::string& selector, const DataSet& data, const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
