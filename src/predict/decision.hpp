// Decides which option to take, how certain that is, and what to measure if it is too uncertain.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// The distribution of an option's time: its logarithm is normally distributed. The log times of two
// options on the CPU, or of two on the GPU, have a correlation of 0.5. Other pairs are independent.
struct Outlook {
  Option option = Option::serial;
  double log_time = 0;   // logarithm of seconds; infinite if the option is impossible
  double deviation = 0;  // standard deviation of the log time
  double cost = 1;       // seconds that measuring the option takes; at least least_cost
};

inline constexpr double same_device = 0.5;  // correlation of the log times of two options on one device
inline constexpr double least_cost = 1e-3;  // lower bound of Outlook::cost in seconds

// Rating of one option.
struct Standing {
  double best = 0;  // probability that the option is the fastest; ties share it
  // Expected value of log(its time / the fastest option's time); infinite if the option is impossible.
  double regret = 0;
};

struct Decision {
  // Index of the option with the least regret in the list of outlooks; among equal ones, the first.
  std::optional<std::size_t> choice;
  double loss = 0;       // exp(regret of the choice) - 1: expected slowdown against the best option
  bool abstains = true;  // true if the loss exceeds the risk, or no option is possible
  std::vector<Standing> standings;  // one for each outlook, in the same order
};

// Estimates by 64 fixed draws. With two options, probabilities are within 0.07 of the exact ones. Regrets are
// within 0.04 standard deviations of the difference of the two log times. Throws std::invalid_argument for
// more outlooks than options, a time that is NaN or minus infinity, or a deviation that is negative or not
// finite.
Decision decide(std::span<const Outlook> outlooks, double risk);

struct ToMeasure {
  std::size_t option = 0;  // index of the option to measure in `outlooks`
  double loss = 0;         // expected loss of the decision after this and all previous measurements
};

// The options to measure. Each is the one that lowers the expected regret most per second of measuring, given
// that the previous options were measured. The list ends when the expected loss is at most the risk, when no
// measurement helps, or at `most` options. It is empty if the decision does not abstain. Throws in the same
// cases as `decide`.
std::vector<ToMeasure> to_measure(std::span<const Outlook> outlooks, double risk, std::size_t most = 5);

}  // namespace sextant::predict
