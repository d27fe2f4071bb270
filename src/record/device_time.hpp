// Evaluates device times of GPU kernels: their mean, and whether two cases can be compared by them.
#pragma once

#include <span>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// Returns the mean of the middle half of the samples, for times that a clock rounds to multiples of `step`
// (32 ns for GPUs). Unlike the median, this mean resolves fractions of a step. `low` and `high` are 1.96
// standard errors away, rounding included. `minimum` is the mean of the fastest quarter.
Interval middle_mean(std::span<const double> samples, double step);
inline constexpr double gpu_timer_step = 32e-9;  // resolution of the GPU's time stamps in seconds (CUPTI)

// Returns true if kernels take less than half of the device time. Such a variant copies its arrays from and
// to host memory within the call, so the host limits its speed.
bool copies_itself(const Measurement& measurement);

// Returns true if two variants can be compared by their device times: both have them, launch equally many
// kernels and do not copy their arrays within the call. Otherwise their launches cost different amounts,
// which only call times include.
bool compare_on_device(const Measurement& a, const Measurement& b);

}  // namespace sextant
