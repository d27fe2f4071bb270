// Computes a confidence interval of the median that allows for slow noise, which shifts many successive
// samples.
#pragma once

#include <span>

#include "record/statistics.hpp"

namespace sextant {

// Returns median_interval of the samples, widened for slow noise. The samples must be in the order of
// measurement. They are cut into eight successive blocks. The interval is widened by the spread of the block
// medians beyond what the samples' own spread explains. This widening does not shrink with the number of
// samples, because slow noise (another program, a clock change) may last for a whole run. With fewer than
// `min_lasting_samples` samples the result is median_interval unchanged.
Interval lasting_interval(std::span<const double> samples);

inline constexpr std::size_t min_lasting_samples = 32;

// Returns true if slow noise contributes more to the width of the interval `lasting` than the spread of the
// samples does. More samples would hardly narrow such an interval.
bool is_mostly_slow(const Interval& lasting, std::span<const double> samples);

}  // namespace sextant
