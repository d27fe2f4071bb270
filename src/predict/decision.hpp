// Decides which option to use, how certain the choice is, and what to measure if it is too uncertain.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// Prediction of an option's time, whose logarithm is normally distributed. Log times of two CPU options, or
// of two GPU options, have the correlation `same_device`. Other pairs are independent.
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
  // Index in `outlooks` of the option with the least regret; the first one if several are equal.
  std::optional<std::size_t> choice;
  double loss = 0;       // exp(regret of the choice) - 1: expected slowdown against the best option
  bool abstains = true;  // true if the loss exceeds the risk, or no option is possible
  std::vector<Standing> standings;  // one for each outlook, in the same order
};

// Chooses the option with the least expected regret, estimated by 64 fixed draws. `risk`: largest acceptable
// loss. With two options, probabilities are within 0.07 of the exact ones. Throws std::invalid_argument for
// more outlooks than options, a time that is NaN or minus infinity, or an invalid deviation.
Decision decide(std::span<const Outlook> outlooks, double risk);

struct ToMeasure {
  std::size_t option = 0;  // index of the option to measure in `outlooks`
  double loss = 0;         // expected loss of the decision after this and all previous measurements
};

// The options to measure, chosen greedily: each lowers the expected regret most per second of measuring. The
// list ends when the expected loss is at most the risk, when no measurement helps, or at `most` options. It
// is empty if the decision does not abstain. Throws in the same cases as `decide`.
std::vector<ToMeasure> to_measure(std::span<const Outlook> outlooks, double risk, std::size_t most = 5);

}  // namespace sextant::predict
