// What a measurement's reader must know about its quality, each with what can be done about it.
#pragma once

#include <string>

namespace sextant {

enum class Warning {
  noisy,           // detail: how well the median is known, e.g. "4.2 %"
  throttled,       // detail: the device's reasons
  slow_clock,      // detail: clock and maximum
  no_records,      // detail: why not
  no_device_time,  // detail: why not
  no_counters,     // detail: why not
  cut_short,       // detail: during what the time limit struck
  not_checked,     // detail: why not
  not_repeated,    // no detail
  beside_others,   // no detail
  arithmetic,      // no detail
  outliers,        // detail: how many
  trivial,         // detail: which answers pass, and the tolerance
  shared_cores,    // detail: how many ranks have how many cores
  fixed_data,      // no detail; that of a kernel, not of a case
};

std::string text_of(Warning warning, const std::string& detail);

}  // namespace sextant
