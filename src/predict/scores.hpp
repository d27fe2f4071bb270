// From a selector's answers to its score, for evaluate.cpp.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// A crossover that is said within it counts as found, and one known to it as measured.
inline constexpr double near_factor = 2;

// A size at which the best of a series of problems goes over from CPU to GPU or back.
struct JudgedCrossover {
  std::string series;
  double size, factor;  // by which the nearest that was said is off
  bool bracketed;       // one was said between the same two sizes
  bool lasts;           // another run is to be expected within near_factor, too
  // How far apart CPU and GPU are a factor of two away, in log time, where they are nearer: so large an error
  // of their ratio moves it so far.
  double turn;
  double said;  // the nearest size that was said; infinite: none was
  double cpu_off,
      gpu_off;  // how much longer than was said the CPU's best takes there, and the GPU's, in log time
};

struct Crossovers {
  std::vector<JudgedCrossover>
      found;                     // those that the ends of the samples' intervals leave within near_factor
  std::size_t undetermined = 0;  // the others
};

Crossovers crossovers_of(const DataSet& data, const std::vector<JudgedAnswer>& judged);

Score score_of(const std::string& selector, const DataSet& data, const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
