// Device times of GPU kernels: their mean, and which of them can be compared.
#pragma once

#include <span>

#include "record/measurement.hpp"
#include "record/statistics.hpp"

namespace sextant {

// The mean of the middle half of the samples, for quantized times (a GPU's timestamps have steps of 32 ns).
// Unlike the median, this mean resolves fractions of a step. The bounds are 1.96 standard errors away,
// quantization included. `minimum` is the mean of the fastest quarter.
Interval middle_mean(std::span<const double> samples, double step);
inline constexpr double gpu_timer_step = 32e-9;  // seconds; resolution of the GPU's timestamps (CUPTI)

// True if kernels take less than half of the device time. Such a variant copies its arrays itself from and to
// host memory, so the host limits its speed.
bool copies_itself(const Measurement& measurement);

// True if the two variants can be compared by their device times: both have one, launch equally many kernels
// and copy nothing themselves. Otherwise the launches differ in cost, which only call times include.
bool compare_on_device(const Measurement& a, const Measurement& b);

}  // namespace sextant
