// How much of the best possible a way of choosing gets, on what it was not taught.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "predict/contests.hpp"
#include "predict/folds.hpp"

namespace sextant::predict {

// By how much, as the standard deviation of a log time, a call of each option differs from one process to the
// next on the same machine: the root of the mean square of what the H200's study and the H100's found of it
// (run_to_run in their files).
inline constexpr std::array<double, option_count> between_runs = {0.193, 0.092, 0.160, 0.052, 0.047, 0.073};

// What a selector says of a contest. Costs order the options, the least first; infinite: the option is not to
// be had.
struct Answer {
  using Values = std::array<double, option_count>;
  static constexpr double none = std::numeric_limits<double>::infinity();

  Option choice = Option::serial;
  Values cost = {none, none, none, none, none, none};
  bool costs_are_times = false;      // logs of seconds
  std::optional<Values> half_width;  // of the 90 % intervals of these, in log time
  std::optional<std::array<Values, option_count>> ratio_half_width;  // likewise of the ratios of any two
  std::array<bool, option_count> told = {};  // its time was given: no interval is judged by it
  bool abstains = false;                     // it chose, but says that it is not sure
};

// The option of least cost, the first of equals.
Answer least_of(const Answer::Values& cost);

// A way of choosing: taught by some problems, of both targets, it chooses at others, of which it must not
// read the times. It is taught of several folds at once.
using Choose = std::function<Answer(const Contest&)>;
struct Selector {
  std::string name;
  std::function<Choose(const DataSet&, Target, const ProblemsByTarget& taught)> teach;
};

// Always an option (serial, openmp, openacc, cuda); what was best on average; what was best at the nearest
// form; the least by the roofline of the field, by ours (`physics`).
std::vector<Selector> baselines();

// A family on a machine.
struct FamilyScore {
  std::string name;
  double fraction = 0;  // of the oracle: geometric mean
  std::size_t contests = 0;
  // Root of the mean square of log(measured time / expected time). Nothing: costs are no times, or none was
  // measured.
  std::array<std::optional<double>, option_count> error;
};

// Each family on each machine counts the same in `fraction`; elsewhere each contest does.
struct Score {
  std::string selector;
  double fraction = 0;                // of the oracle: geometric mean
  std::vector<FamilyScore> families;  // the worst first
  double fifth_percentile = 0;        // of contests
  // Regret, log(time / the best's), as a factor: of half, of nine of ten contests, of the worst.
  double median_regret = 1, ninety_regret = 1, worst_regret = 1;
  double top_one = 0;    // share in which the best was chosen, or one that ties with it
  double top_three = 0;  // in which it is among the three of least cost
  // Of 90 % intervals: share of measured times inside, of all times and with each family on each machine
  // counting the same; and the median of high / low. Nothing: it gives none.
  std::optional<double> coverage, family_coverage, width;
  std::optional<double> ratio_coverage;  // of ratios of two options' times
  // Sizes at which the best goes over from CPU to GPU or back, by lines between the sizes at which all
  // options were measured, as far as another run is to be expected within a factor of two of them: both with
  // the ratio of CPU and GPU at the low and at the high ends of its 95 % intervals, which are of the samples
  // and of `between_runs`. Share found within a factor of two; share found between the same two sizes, as
  // near as these tell; the median factor (infinite: none is seen between the measured sizes); and, of all
  // that medians show, the share that is not known so well. Nothing: costs are no times, or there are none.
  std::optional<double> crossovers_near, crossovers_bracketed, crossover_factor, crossovers_undetermined;
  std::size_t crossovers = 0;
  // Of those that one run's samples know to a factor of two, with the CPU's times at the slow ends of their
  // intervals and the GPU's at the fast ones, and the other way round: share found within one.
  std::optional<double> crossovers_near_in_run;
  std::size_t crossovers_in_run = 0;
  double abstained = 0;                      // share
  std::optional<double> fraction_when_sure;  // geometric mean of the others, each contest weighing the same
  std::size_t contests = 0;

  double worst_family() const { return families.empty() ? 0 : families.front().fraction; }
  std::string worst_name() const { return families.empty() ? "" : families.front().name; }
};

// Whose problems are asked: parts of machines (partition_of) are no machines like the others, and are scored
// apart.
enum class Judged { whole_machines, parts_of_machines };

struct JudgedAnswer {
  Contest contest;
  Answer answer;
};

// Every fold of the split held out in turn. Contests of which a row is in neither part are not used. Throws
// std::logic_error where the parts leak, UserError where the data set's own file made them so; folds without
// anything to be taught by are left out.
std::vector<std::vector<JudgedAnswer>> judged_answers(const DataSet& data, Split split, Target target,
                                                      const std::vector<Selector>& selectors,
                                                      Judged judged = Judged::whole_machines);

// The scores of these, by selector.
std::vector<Score> evaluate(const DataSet& data, Split split, Target target,
                            const std::vector<Selector>& selectors, Judged judged = Judged::whole_machines);

}  // namespace sextant::predict
