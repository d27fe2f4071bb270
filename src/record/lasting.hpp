// Computes an interval of the median that allows for slow noise, which affects a series of neighbouring
// samples.
#pragma once

#include <span>

#include "record/statistics.hpp"

namespace sextant {

// Returns median_interval of the samples, which must be in the order of measurement, widened for slow noise.
// The samples are cut into eight successive parts. The widening is the spread of the parts' medians beyond
// what the samples' own spread explains. It does not shrink with the number of samples, because slow noise
// (another program, a clock change) may last for a whole run. With fewer than `min_lasting_samples` samples
// it returns median_interval unchanged.
Interval lasting_interval(std::span<const double> samples);

inline constexpr std::size_t min_lasting_samples = 32;

// True if slow noise widens the interval `lasting` more than the spread of the samples does. More samples
// would hardly narrow such an interval.
bool is_mostly_slow(const Interval& lasting, std::span<const double> samples);

}  // namespace sextant
