// Texts of warnings about the quality of a measurement. Each text names a remedy. The comments tell what the
// caller passes as `detail`.
#pragma once

#include <string>

namespace sextant {

enum class Warning {
  throttled,       // the device's reasons for throttling
  slow_clock,      // current and maximum clock
  no_records,      // why activity records are missing
  no_device_time,  // why device times are missing
  no_counters,     // why counters are missing
  cut_short,       // the stage in which the time limit was reached
  not_checked,     // why there is no reference
  not_repeated,    // nothing
  beside_others,   // nothing
  arithmetic,      // nothing
  outliers,        // number of elements outside the tolerance
  trivial,         // the tolerance, and the trivial answers that pass
  shared_cores,    // number of ranks, and of cores they share
  fixed_data,      // nothing; this is a property of the kernel, not of the case
};

std::string text_of(Warning warning, const std::string& detail);

}  // namespace sextant
