// Which option to take, how sure that is, and what to measure if it is not.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// What is believed of an option: its log time is normal. Log times are correlated by 0.5 within the options
// on the CPU and within those on the GPU, and not between them.
struct Outlook {
  Option option = Option::serial;
  double log_time = 0;   // log of seconds; infinite: the option is impossible
  double deviation = 0;  // of the log time
  double cost = 1;       // seconds that measuring it would take; counts as least_cost below it
};

inline constexpr double same_device = 0.5;  // that correlation
inline constexpr double least_cost = 1e-3;  // seconds: nothing is measured in less

// The regret of an option is the mean, over what may be, of log(its time / the best option's time).
struct Standing {
  double best = 0;    // probability that it is the best; ties share it
  double regret = 0;  // infinite if the option is impossible
};

struct Decision {
  std::optional<std::size_t> choice;  // of the outlooks: that of least regret, the first of equals
  double loss = 0;       // exp(its regret) - 1: by how much it is slower than the best, in the mean
  bool abstains = true;  // the loss is above the risk, or nothing is possible
  std::vector<Standing> standings;  // by outlook
};

// By 64 fixed draws: for two options, probabilities are within 0.07 of the exact ones and regrets within 0.04
// deviations of the difference. Throws std::invalid_argument for more outlooks than options, a time that is
// NaN or minus infinity, or a deviation that is negative or not finite.
Decision decide(std::span<const Outlook> outlooks, double risk);

struct ToMeasure {
  std::size_t option = 0;  // of the outlooks
  double loss = 0;         // expected of the decision after it and those before it were measured
};

// The options whose measurement lets the expected regret fall most for a second, each chosen as if those
// before it were measured, until the expected loss is at most the risk, no measurement helps, or there are
// `most`. Empty if the decision does not abstain. Throws as decide.
std::vector<ToMeasure> to_measure(std::span<const Outlook> outlooks, double risk, std::size_t most = 5);

}  // namespace sextant::predict
