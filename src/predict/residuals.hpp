// Finds the problems at which a selector's choices are slower than the fastest option.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// A problem at which the choice was slower than the best option.
struct ProblemLoss {
  const JudgedAnswer* judged = nullptr;
  // Fraction of the total loss in log time. Each family on each machine has the same weight.
  double share = 0;
};

// The problems with a loss, in descending order of loss. The results point into `judged`.
std::vector<ProblemLoss> losses_of(const DataSet& data, const std::vector<JudgedAnswer>& judged);

// A pair of a wrongly chosen option and the option that was fastest.
struct MistakenChoice {
  Option chosen = Option::serial, best = Option::serial;
  std::size_t problems = 0;
  double share = 0;  // fraction of the total loss in log time
};

// Sums the losses for each pair of chosen and best option, in descending order of loss.
std::vector<MistakenChoice> mistaken_choices(const std::vector<ProblemLoss>& losses);

// Score::fraction of a selector that knows all times except for independent random errors with these standard
// deviations. With `between_runs`, it is the best that advice can reach, because times vary between runs.
// With √2 times `between_runs`, it is the result of choosing the fastest option of another run. The draws are
// reproducible.
double fraction_with_errors(const DataSet& data, const std::vector<JudgedAnswer>& judged,
                            const std::array<double, option_count>& deviations);

// Errors of an option's expected times, without times that the selector was given.
struct OptionErrors {
  Option option = Option::serial;
  std::size_t times = 0;
  double mean = 0, deviation = 0;  // mean and root mean square of log(measured / expected)
  // Quality of 90 % intervals. `coverage`: fraction of measured times inside. `above`: fraction above the
  // interval. `width`: median of upper end / lower end.
  std::optional<double> coverage, above, width;
};

// The errors of each option that has expected times.
std::vector<OptionErrors> errors_by_option(const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
