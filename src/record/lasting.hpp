// Computes a confidence interval of the median that includes slow noise, which shifts many successive
// samples.
#pragma once

#include <span>

#include "record/statistics.hpp"

namespace sextant {

// Returns median_interval of the samples, widened for slow noise such as another program or a change of
// clock. The samples must be in the order of measurement. They are split into eight blocks. The interval is
// widened by the part of the block medians' spread that independent samples would not have. More samples do
// not reduce it, because slow noise may last for a whole run. Below `min_lasting_samples` samples the
// interval is not widened.
Interval lasting_interval(std::span<const double> samples);

inline constexpr std::size_t min_lasting_samples = 32;

// Returns true if slow noise widens the interval more than the spread of single samples does. More samples
// would then hardly narrow the interval.
bool is_mostly_slow(const Interval& lasting, std::span<const double> samples);

}  // namespace sextant
