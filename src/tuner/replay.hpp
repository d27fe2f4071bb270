// Replays searches on recorded tuning spaces and scores them.
#pragma once

#include <string>
#include <vector>

#include "tuner/recorded_space.hpp"
#include "tuner/strategy.hpp"

namespace sextant::tuner {

// The points that one search evaluated, in order. A failed point counts as an evaluation.
struct Trajectory {
  std::vector<std::size_t> points;
  double seconds = 0;  // processor time of the strategy itself in seconds
};

// Runs a search of `budget` evaluations, or of all points if the space has fewer. `prior` may be null.
Trajectory replay(const RecordedSpace& recorded, const std::string& strategy, const Prior* prior,
                  std::uint64_t seed, std::size_t budget);

// Best recorded time divided by the best time in the first `evaluations` evaluations; 0 if all of them
// failed. A search that ended earlier keeps its last value.
double fraction_after(const RecordedSpace& recorded, const Trajectory& run, std::size_t evaluations);

// Statistics of fraction_after over several searches. The percentile is interpolated linearly between order
// statistics.
struct Score {
  double mean = 0, percentile_10 = 0, worst = 0;
};
Score score_of(const RecordedSpace& recorded, const std::vector<Trajectory>& runs, std::size_t evaluations);

// Writes the searches as JSON lines: one configuration per line in order of evaluation, with an empty line
// between two searches.
std::string trajectories(const RecordedSpace& recorded, const std::vector<Trajectory>& runs);

}  // namespace sextant::tuner
