// Predicts an option's time at one size of a kernel from its times measured at other sizes on this machine.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "predict/analytic_model.hpp"

namespace sextant::predict {

// Amounts to which a call's time may be proportional: operations, items, bytes, N. An amount that the kernel
// does not state is 0.
using Amounts = std::array<double, 4>;
Amounts amounts_of(const Form& form);

// What is known about an option at one size of a kernel without running it. Times are in seconds.
struct ModelledSize {
  Amounts amounts = {};
  double launches = 0;  // starting kernels or threads
  double memory = 0;    // moving the problem's bytes through the caches of this footprint
  // Only on a GPU: memory or arithmetic by the analytic model, and the fraction of the threads that are busy.
  double work = 0, filled = 1;
};
ModelledSize modelled_size(const AnalyticModel& analytic, const Form& form, const Profile& profile,
                           Option option, const CallTime& time);

struct TimedSize {
  ModelledSize size;
  double seconds = 0;
  double noise = 0;  // standard deviation of the log of `seconds`
};

// The log of a time in seconds, and its standard deviation.
struct FittedTime {
  double log_time = 0, deviation = 0;
};

// The amount that grows most like the times of serial code, as an index of Amounts. If one size was measured
// or several amounts grow alike, the first one counts.
std::size_t amount_of_growth(const std::vector<TimedSize>& serial);

// The time at `asked`: a launch cost plus a cost per unit of `amount`, through the two nearest measured
// sizes. One measured size gets the launch cost of the analytic model. The line is left where
// - caches of larger footprints allow only a smaller part of the bandwidth: the cost per unit rises;
// - a GPU is not filled: its time grows by the analytic model instead;
// - serial code takes more than 10 µs: its time grows at least nearly in proportion.
// `timed` must not be empty.
FittedTime time_at(const Constants& c, std::vector<TimedSize> timed, const ModelledSize& asked,
                   std::size_t amount, Option option);

}  // namespace sextant::predict
