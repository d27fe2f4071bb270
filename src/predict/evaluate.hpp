// Scores methods of choosing an option. Each method chooses at problems held out from its training, and the
// score compares its choices with the fastest option.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "predict/constants.hpp"
#include "predict/contests.hpp"
#include "predict/folds.hpp"

namespace sextant::predict {

// Variation of a call's time between runs on one machine: standard deviation of the log time, by option. Root
// mean square over the studies of the H200 and the H100 (run_to_run in their files).
inline constexpr std::array<double, option_count> between_runs = {0.193, 0.092, 0.160, 0.052, 0.047, 0.073};

// A selector's answer at one problem. The option with the lowest cost is ranked first. An infinite cost marks
// an unavailable option.
struct Answer {
  using Values = std::array<double, option_count>;
  static constexpr double none = std::numeric_limits<double>::infinity();

  Option choice = Option::serial;
  Values cost = {none, none, none, none, none, none};
  bool costs_are_times = false;      // true if the costs are logarithms of seconds
  std::optional<Values> half_width;  // half widths of the 90 % intervals of the costs, in log time
  // Half widths of the 90 % intervals of the ratio of two options, in log time.
  std::optional<std::array<Values, option_count>> ratio_half_width;
  // By option: true if the selector was given its measured time. The option's interval is then not scored.
  std::array<bool, option_count> told = {};
  bool abstains = false;  // true if the selector considers its choice too uncertain
};

// Chooses the option of least cost; among equal costs, the first one.
Answer least_of(const Answer::Values& cost);

// A selector is trained on problems of both targets (call time and end-to-end time). The returned function
// chooses at other problems and must not read their times. `teach` must be thread-safe, because several folds
// call it concurrently.
using Choose = std::function<Answer(const Contest&)>;
struct Selector {
  std::string name;
  std::function<Choose(const DataSet&, Target, const ProblemsByTarget& taught)> teach;
};

// The time of an option by some model; nothing if the model has none.
using TimeOf = std::function<std::optional<double>(const Form&, const Profile&, Option, Target)>;
// Chooses the option of least time. `data` must outlive the result.
Choose choose_by_time(const DataSet& data, Target target, const TimeOf& time_of);

// The simple selectors that a trained model is compared with:
// - always one option (serial, openmp, openacc, cuda);
// - the best option on average over the training problems;
// - the best option at the training problem with the most similar kernel properties;
// - the least time by the textbook roofline model;
// - the least time by the analytic model with these constants (named `physics`).
std::vector<Selector> baselines(const Constants& constants);

// A selector's score on one family of kernels on one machine.
struct FamilyScore {
  std::string name;
  double fraction = 0;  // best time / chosen time, geometric mean
  std::size_t contests = 0;
  // Root mean square of log(measured time / expected time), by option. Nothing if costs are not times, or if
  // nothing was measured.
  std::array<std::optional<double>, option_count> error;
};

// A selector's total score. In `fraction`, each family on each machine has the same weight. In the other
// members, each problem has the same weight.
struct Score {
  std::string selector;
  double fraction = 0;                // best time / chosen time, geometric mean
  std::vector<FamilyScore> families;  // the family with the lowest fraction comes first
  double fifth_percentile = 0;        // 5th percentile of best time / chosen time over problems
  // Chosen time / best time: median, 90th percentile and maximum over problems.
  double median_regret = 1, ninety_regret = 1, worst_regret = 1;
  double top_one = 0;    // fraction of problems at which the fastest option, or one tied with it, was chosen
  double top_three = 0;  // fraction of problems whose fastest option is among the three of least cost
  // Quality of 90 % intervals; nothing if the selector gives none. `coverage`: fraction of measured times
  // inside their interval. `family_coverage`: the same with equal weight for each family on each machine.
  // `width`: median of upper end / lower end.
  std::optional<double> coverage, family_coverage, width;
  std::optional<double> ratio_coverage;  // coverage of the intervals of ratios of two options' times
  // A crossover is a size at which the fastest option moves from CPU to GPU or back. Its position is
  // interpolated between sizes at which all options were measured. A crossover counts only if another run
  // should reproduce it within a factor of two, by the 95 % interval of CPU time over GPU time. This interval
  // includes the scatter of the samples and `between_runs`. The members are empty if no crossover counts.
  // - crossovers_near: fraction predicted within a factor of two
  // - crossovers_bracketed: fraction predicted between the same two measured sizes
  // - crossover_factor: median factor between predicted and measured size; infinite if no crossover is
  //   predicted in the measured range
  // - crossovers_undetermined: fraction of all measured crossovers that are too uncertain to count
  std::optional<double> crossovers_near, crossovers_bracketed, crossover_factor, crossovers_undetermined;
  std::size_t crossovers = 0;
  // The same as crossovers_near, but counts crossovers that a single run determines within a factor of two,
  // by the intervals of the CPU and the GPU time.
  std::optional<double> crossovers_near_in_run;
  std::size_t crossovers_in_run = 0;
  double abstained = 0;  // fraction of problems at which the selector abstained
  // Best time / chosen time: geometric mean over the problems at which the selector did not abstain.
  std::optional<double> fraction_when_sure;
  std::size_t contests = 0;

  double worst_family() const { return families.empty() ? 0 : families.front().fraction; }
  std::string worst_name() const { return families.empty() ? "" : families.front().name; }
};

// Which machines' problems are evaluated. A part of a machine (partition_of), such as some of a GPU's
// multiprocessors, differs from a whole machine and is scored separately.
enum class Judged { whole_machines, parts_of_machines };

struct JudgedAnswer {
  Contest contest;
  Answer answer;
};

// Holds out each fold of the split in turn and returns the answers of each selector. Skips problems with a
// row that is neither in training nor in test, and folds without training data. If training contains
// information about the test part, throws std::logic_error, or UserError if the data set's own fold file is
// the cause.
std::vector<std::vector<JudgedAnswer>> judged_answers(const DataSet& data, Split split, Target target,
                                                      const std::vector<Selector>& selectors,
                                                      Judged judged = Judged::whole_machines);

// The scores of the answers of judged_answers, one for each selector.
std::vector<Score> evaluate(const DataSet& data, Split split, Target target,
                            const std::vector<Selector>& selectors, Judged judged = Judged::whole_machines);

}  // namespace sextant::predict
