// Evaluates device times of GPU kernels: their mean, and when it is fair to compare them.
#pragma once

#include <span>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// Returns the mean of the middle half of the samples, for a clock that rounds to multiples of `step` seconds.
// Unlike the median, this mean resolves fractions of a step. `low` and `high` are 1.96 standard errors away,
// rounding included. `minimum` is the mean of the fastest quarter.
Interval middle_mean(std::span<const double> samples, double step);
inline constexpr double gpu_timer_step = 32e-9;  // resolution of the GPU's time stamps in seconds (CUPTI)

// Returns true if kernels take less than half of the device time. Such a variant copies its arrays from and
// to the host in each call.
bool copies_itself(const Measurement& measurement);

// Returns true if device times compare two variants fairly. Both must have device times, launch equally many
// kernels and not copy their arrays in the call. A copy on the device without kernels counts as one launch.
bool compare_on_device(const Measurement& a, const Measurement& b);

}  // namespace sextant
