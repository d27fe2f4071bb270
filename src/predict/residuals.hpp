// Analyses where the choices of a selector lose against the best option.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// A problem at which the choice was slower than the best option.
struct ProblemLoss {
  const JudgedAnswer* judged = nullptr;
  double share = 0;  // share of the total loss in log time, with equal weight for each family on each machine
};

// Largest loss first. The results point into `judged`.
std::vector<ProblemLoss> losses_of(const DataSet& data, const std::vector<JudgedAnswer>& judged);

// A wrong choice: the chosen option and the best one.
struct MistakenChoice {
  Option chosen = Option::serial, best = Option::serial;
  std::size_t problems = 0;
  double share = 0;  // share of the total loss
};

// Largest share first.
std::vector<MistakenChoice> mistaken_choices(const std::vector<ProblemLoss>& losses);

// Fraction of the best time, averaged as Score::fraction, for a selector that knows all times up to
// independent errors with these standard deviations. With between_runs it is the most that advice can reach,
// because run-to-run variation limits what is known of times. With √2 times between_runs it is the result of
// choosing another run's best option. The random draws depend only on the data.
double fraction_with_errors(const DataSet& data, const std::vector<JudgedAnswer>& judged,
                            const std::array<double, option_count>& deviations);

// Errors of an option's expected times; excludes times that were given.
struct OptionErrors {
  Option option = Option::serial;
  std::size_t times = 0;
  double mean = 0, deviation = 0;  // mean and root mean square of log(measured / expected)
  std::optional<double> coverage, above,
      // 90 % intervals: share inside, share above, median of high / low.
      width;
};

// For each option with expected times.
std::vector<OptionErrors> errors_by_option(const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
