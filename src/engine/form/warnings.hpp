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
  not_checked,     // two executions gave different results; no detail
  not_repeated,    // calls were sampled while other GPUs were busy; no detail
  beside_others,   // the variant changes rounding or flushing to zero; no detail
  arithmetic,      // number of elements outside the tolerance
  outliers,        // the tolerance, and the trivial answers that pass
  trivial,         // number of ranks, and of cores they share
  shared_cores,    // all seeds give the same inputs (a property of the kernel, not of the case); no detail
  fixed_data,      // nothing; this is a property of the kernel, not of the case
};

std::string text_of(Warning warning, const std::string& detail);

}  // namespace sextant
