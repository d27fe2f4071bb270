// Searches on recorded spaces, and how good they were.
#pragma once

#include <string>
#include <vector>

#include "tuner/recorded_space.hpp"
#include "tuner/strategy.hpp"

namespace sextant::tuner {

// The points of one search in the order evaluated, each once; what fails counts as an evaluation, too.
struct Trajectory {
  std::vector<std::size_t> points;
  double seconds = 0;  // processor time of the strategy itself
};

// `budget` evaluations, or as many as the space has points.
Trajectory replay(const RecordedSpace& recorded, const std::string& strategy, const Prior* prior,
                  std::uint64_t seed, std::size_t budget);

// Fraction of the optimum after `evaluations`: best recorded time over the best time found by then; 0 while
// nothing ran. A run that ended before keeps its last.
double fraction_after(const RecordedSpace& recorded, const Trajectory& run, std::size_t evaluations);

// Over runs; the percentile lies linearly between order statistics.
struct Score {
  double mean = 0, percentile_10 = 0, worst = 0;
};
Score score_of(const RecordedSpace& recorded, const std::vector<Trajectory>& runs, std::size_t evaluations);

// JSON lines: a configuration a line in the order evaluated, runs apart by an empty line.
std::string trajectories(const RecordedSpace& recorded, const std::vector<Trajectory>& runs);

}  // namespace sextant::tuner
