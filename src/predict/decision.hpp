// Decides which option to take, how sure that is, and what to measure otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// Belief about an option: its log time is normally distributed. Log times of two options on the CPU, or of
// two on the GPU, have a correlation of 0.5. Other pairs are independent.
struct Outlook {
  Option option = Option::serial;
  double log_time = 0;   // log of seconds; infinite: the option is impossible
  double deviation = 0;  // standard deviation of the log time
  double cost = 1;       // seconds to measure it; at least least_cost
};

inline constexpr double same_device = 0.5;  // correlation of the log times of two options on one device
inline constexpr double least_cost = 1e-3;  // seconds; no measurement takes less

// The regret of an option is the expected value of log(its time / the best option's time).
struct Standing {
  double best = 0;    // probability that it is the best; ties share it
  double regret = 0;  // infinite if the option is impossible
};

struct Decision {
  std::optional<std::size_t> choice;  // index of the outlook with the least regret, the first one on a tie
  double loss = 0;       // exp(regret of the choice) - 1: expected slowdown against the best option
  bool abstains = true;  // the loss is above the risk, or no option is possible
  std::vector<Standing> standings;  // by outlook
};

// Estimates by 64 fixed draws. For two options, probabilities are within 0.07 of the exact ones, and regrets
// within 0.04 standard deviations of the difference. Throws std::invalid_argument for more outlooks than
// options, a time that is NaN or minus infinity, or a deviation that is negative or not finite.
Decision decide(std::span<const Outlook> outlooks, double risk);

struct ToMeasure {
  std::size_t option = 0;  // index of the outlook
  double loss = 0;         // expected loss of the decision after this and all previous measurements
};

// Options to measure, ordered by the largest drop of the expected regret per second. Each step assumes that
// the previous options were measured. The list ends when the expected loss is at most the risk, no
// measurement helps, or it has `most` options. It is empty if the decision does not abstain. Throws like
// decide.
std::vector<ToMeasure> to_measure(std::span<const Outlook> outlooks, double risk, std::size_t most = 5);

}  // namespace sextant::predict
