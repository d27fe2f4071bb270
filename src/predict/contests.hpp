// The measured times of each problem by option (programming model on a device), for training and judging
// choices.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

// One problem on one machine, with the time of each option's fastest variant and tuning.
struct Contest {
  std::size_t machine = 0, problem = 0;  // indices into DataSet::machines and DataSet::problems
  // By option: its time; nothing if it was not measured.
  std::array<std::optional<Interval>, option_count> times;
  std::vector<std::size_t> rows;  // indices of the data set's rows that contain the times

  const std::optional<Interval>& at(Option option) const { return times[static_cast<std::size_t>(option)]; }
  Option best() const;  // the fastest option (programming model and device)
  // Best time divided by the option's time. 1 if the option's interval overlaps that of the best option; 0.1
  // if the option has no valid measurement.
  double fraction(Option option) const;
};

// One contest for each machine and problem. Only correct cases that take part in ranking count.
std::vector<Contest> measured_problems(const DataSet& data, Target target);

// True if the options can be compared: serial and OpenMP were measured and, on a machine with a GPU, also
// CUDA and OpenACC.
bool is_contest(const Contest& contest, const Profile& profile);

// The problems for which is_contest is true.
std::vector<Contest> contests_among(const DataSet& data, const std::vector<Contest>& problems);

using ProblemsByTarget = std::array<std::vector<Contest>, target_count>;

// All measured problems, separately for each target (call time and end-to-end time).
ProblemsByTarget measured_problems(const DataSet& data);

// Keeps the problems of the kernel families that were measured on every kind of device (CPU, GPU) in
// `problems`. A family that was measured only on the GPU offers no choice.
ProblemsByTarget of_families_with_a_choice(const DataSet& data, const ProblemsByTarget& problems);

// Estimates the times as if each option's best variant had been measured at every problem. If a problem's
// sweep lacks it, the measured time is divided by the typical slowdown without it. This slowdown is the
// median over other problems of the same kernel, type and machine. Its scatter widens the interval.
std::vector<Contest> by_the_best_variants(const DataSet& data, Target target,
                                          const std::vector<Contest>& problems);
ProblemsByTarget by_the_best_variants(const DataSet& data, const ProblemsByTarget& problems);

// Log sizes at which the difference changes its sign, by linear interpolation. `differences`: pairs of log
// size and difference of log times, in ascending order of size.
std::vector<double> sign_changes(const std::vector<std::pair<double, double>>& differences);

}  // namespace sextant::predict
