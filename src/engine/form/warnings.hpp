// Warnings about the quality of a measurement. Each text names a remedy.
#pragma once

#include <string>

namespace sextant {

enum class Warning {
  noisy,           // Detail: relative half width of the median's interval, e.g. "4.2 %".
  throttled,       // Detail: the device's throttle reasons.
  slow_clock,      // Detail: current and maximum clock.
  no_records,      // Detail: why activity records are missing.
  no_device_time,  // Detail: why device times are missing.
  no_counters,     // Detail: why counters are missing.
  cut_short,       // Detail: the stage in which the time limit struck.
  not_checked,     // Detail: why there is no reference.
  not_repeated,    // No detail.
  beside_others,   // No detail.
  arithmetic,      // No detail.
  outliers,        // Detail: number of elements outside the tolerance.
  trivial,         // Detail: the tolerance, and the trivial answers that pass.
  shared_cores,    // Detail: number of ranks, and of cores they share.
  fixed_data,      // No detail. A property of the kernel, not of the case.
};

std::string text_of(Warning warning, const std::string& detail);

}  // namespace sextant
