// Why a way of choosing gets no more of the best than it does.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// A problem at which something was lost.
struct ProblemLoss {
  const JudgedAnswer* judged = nullptr;
  double share = 0;  // of all that is lost, in log time, each family on each machine weighing the same
};

// The largest first. They point into `judged`.
std::vector<ProblemLoss> losses_of(const DataSet& data, const std::vector<JudgedAnswer>& judged);

// What was chosen where something else was the best.
struct MistakenChoice {
  Option chosen = Option::serial, best = Option::serial;
  std::size_t problems = 0;
  double share = 0;  // of all that is lost
};

// The largest share first.
std::vector<MistakenChoice> mistaken_choices(const std::vector<ProblemLoss>& losses);

// Of the best, in the same geometric mean as a score: what is got by who knows all times but for errors of
// such standard deviations, independent of each other. So much is to be had at most by advice that errs by no
// more than runs do; √2 times between_runs is by who chose what another run found the best. Draws are a
// function of the data alone.
double fraction_with_errors(const DataSet& data, const std::vector<JudgedAnswer>& judged,
                            const std::array<double, option_count>& deviations);

// Of an option's times, those that were told not counted.
struct OptionErrors {
  Option option = Option::serial;
  std::size_t times = 0;
  double mean = 0, deviation = 0;  // of log(measured / expected), and the root of the mean square
  std::optional<double> coverage, above,
      width;  // of 90 % intervals: share within, share above, median of high / low
};

// Of each option of which times were expected.
std::vector<OptionErrors> errors_by_option(const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
