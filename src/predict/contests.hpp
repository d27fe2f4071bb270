// The measured times of each problem by option. Choices are judged by them, and the history correction learns
// from them.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

// One problem on one machine, with the time of each option's best variant and tuning. An option is a
// programming model on a device.
struct Contest {
  std::size_t machine = 0, problem = 0;  // indices into DataSet::machines and DataSet::problems
  // By option (programming model and device): its time; nothing if not measured.
  std::array<std::optional<Interval>, option_count> times;
  std::vector<std::size_t> rows;  // indices of the data set's rows that contain the times

  const std::optional<Interval>& at(Option option) const { return times[static_cast<std::size_t>(option)]; }
  Option best() const;  // the fastest option (programming model and device)
  // Best time divided by the option's time:
  // - 1 for the best option and for options whose interval overlaps the best option's interval;
  // - 0.1 for an option without a valid measurement.
  double fraction(Option option) const;
};

// One contest for each machine and problem, from correct cases that take part in ranking.
std::vector<Contest> measured_problems(const DataSet& data, Target target);

// True if the options can be compared: serial and OpenMP were measured and, on a machine with a GPU, also
// CUDA and OpenACC.
bool is_contest(const Contest& contest, const Profile& profile);

// The problems for which is_contest is true.
std::vector<Contest> contests_among(const DataSet& data, const std::vector<Contest>& problems);

using ProblemsByTarget = std::array<std::vector<Contest>, target_count>;

// All measured problems, separately for each target (call time and end-to-end time).
ProblemsByTarget measured_problems(const DataSet& data);

// Keeps the problems of each family of kernels that was measured on every kind of device (CPU, GPU) that
// occurs in `problems`. Families measured only on the GPU are excluded, because they offer no choice and do
// another kind of work.
ProblemsByTarget of_families_with_a_choice(const DataSet& data, const ProblemsByTarget& problems);

// Estimates the times as if each option's best variant had been measured at every problem. A sweep of few
// variants may not contain the best one. In that case, the measured time is divided by the slowdown of the
// measured variants compared with the best one. The slowdown is the median over the kernel's other problems
// of the same type on that machine. The scatter of the slowdown widens the interval.
std::vector<Contest> by_the_best_variants(const DataSet& data, Target target,
                                          const std::vector<Contest>& problems);
ProblemsByTarget by_the_best_variants(const DataSet& data, const ProblemsByTarget& problems);

// Log sizes at which the difference changes its sign, by linear interpolation. `differences`: pairs of log
// size and difference of log times, in ascending order of size.
std::vector<double> sign_changes(const std::vector<std::pair<double, double>>& differences);

}  // namespace sextant::predict
