// The median's interval for as long as what slowed a part of the samples may last.
#pragma once

#include <span>

#include "record/statistics.hpp"

namespace sextant {

// median_interval of samples in the order they were taken, widened by how far the medians of eight successive
// parts of them lie apart beyond what the samples' own spread explains. That term does not shrink with the
// number of samples: a noise that is slower than a part (another program, a clock that changes) may last for
// a whole run. Fewer than `min_lasting_samples` have no such parts: then it is median_interval.
Interval lasting_interval(std::span<const double> samples);

inline constexpr std::size_t min_lasting_samples = 32;

// Whether the parts widen the samples' lasting interval more than the samples themselves do: more of them
// would hardly narrow it then.
bool is_mostly_slow(const Interval& lasting, std::span<const double> samples);

}  // namespace sextant
