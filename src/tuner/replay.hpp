// Replays searches on recorded spaces and scores them.
#pragma once

#include <string>
#include <vector>

#include "tuner/recorded_space.hpp"
#include "tuner/strategy.hpp"

namespace sextant::tuner {

// Points of one search in the order of evaluation, each once. Failures count as evaluations.
struct Trajectory {
  std::vector<std::size_t> points;
  double seconds = 0;  // processor time of the strategy itself
};

// Runs `budget` evaluations, or as many as the space has points.
Trajectory replay(const RecordedSpace& recorded, const std::string& strategy, const Prior* prior,
                  std::uint64_t seed, std::size_t budget);

// Fraction of the optimum after `evaluations`: best recorded time over the best time found so far. It is 0
// while no point has run. A run that ended earlier keeps its last value.
double fraction_after(const RecordedSpace& recorded, const Trajectory& run, std::size_t evaluations);

// Statistics over runs. The percentile interpolates linearly between order statistics.
struct Score {
  double mean = 0, percentile_10 = 0, worst = 0;
};
Score score_of(const RecordedSpace& recorded, const std::vector<Trajectory>& runs, std::size_t evaluations);

// JSON lines: one configuration per line in the order of evaluation, with an empty line between runs.
std::string trajectories(const RecordedSpace& recorded, const std::vector<Trajectory>& runs);

}  // namespace sextant::tuner
