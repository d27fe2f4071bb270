// Texts of warnings about the quality of a measurement. Each text names a remedy.
#pragma once

#include <string>

namespace sextant {

// Kinds of warnings. Each comment says what text_of() needs as `detail`.
enum class Warning {
  throttled,       // the device's reasons for throttling
  slow_clock,      // current and maximum clock
  no_records,      // why activity records are missing
  no_device_time,  // why device times are missing
  no_counters,     // why counters are missing
  not_steady,      // what changed, or why that is not known
  no_energy,       // why the energy of calls is not known
  cut_short,       // the stage in which the time limit was reached
  not_checked,     // why there is no reference
  not_repeated,    // no detail; two executions on the same inputs gave different results
  beside_others,   // no detail; short calls were sampled while other GPUs were busy
  arithmetic,      // no detail; the variant changes rounding or flushing to zero
  outliers,        // number of elements outside the tolerance
  trivial,         // the tolerance, and the trivial results that it accepts
  shared_cores,    // number of ranks, and of cores they share
  fixed_data,      // no detail; all seeds give the same inputs, a property of the kernel
};

std::string text_of(Warning warning, const std::string& detail);

}  // namespace sextant
