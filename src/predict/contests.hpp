// What was measured at each problem, by option: what a choice is judged by, and what predictions remember.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

// A problem on a machine, with what each option takes by its best variant and tuning.
struct Contest {
  std::size_t machine = 0, problem = 0;                     // places in the data set
  std::array<std::optional<Interval>, option_count> times;  // by option; nothing: not measured
  std::vector<std::size_t> rows;                            // of the data set, that it is made of

  const std::optional<Interval>& at(Option option) const { return times[static_cast<std::size_t>(option)]; }
  Option best() const;  // the oracle
  // Time of the best over an option's: 1 for the best and for those whose intervals meet its; 0.1 where the
  // option was not measured to end well.
  double fraction(Option option) const;
};

// Of each machine and problem what correct cases took, asides excluded.
std::vector<Contest> measured_problems(const DataSet& data, Target target);

// Whether serial and OpenMP were measured, and CUDA and OpenACC where the machine has a GPU: so that a choice
// was one.
bool is_contest(const Contest& contest, const Profile& profile);

// Those of `problems` that are.
std::vector<Contest> contests_among(const DataSet& data, const std::vector<Contest>& problems);

using ProblemsByTarget = std::array<std::vector<Contest>, target_count>;

// Of each target all that was measured.
ProblemsByTarget measured_problems(const DataSet& data);

// Those of `problems` whose family was measured, at any of them, wherever any family was: on CPU and GPU.
// Families of the GPU alone are left out: there is no choice in them, and they are other kinds of work.
ProblemsByTarget of_families_with_a_choice(const DataSet& data, const ProblemsByTarget& problems);

// Those of `problems` as if each option's best variant had been measured at all of them. Where others alone
// were, as in a sweep of few variants, the time is shorter by what these take more than the best of all in
// the median of the kernel's other problems on that machine in that type, and its interval is wider by how
// much that scatters.
std::vector<Contest> by_the_best_variants(const DataSet& data, Target target,
                                          const std::vector<Contest>& problems);
ProblemsByTarget by_the_best_variants(const DataSet& data, const ProblemsByTarget& problems);

// Of pairs of log size and a difference of log times, sizes ascending, the log sizes at which its sign
// changes, by lines between neighbours.
std::vector<double> sign_changes(const std::vector<std::pair<double, double>>& differences);

}  // namespace sextant::predict
