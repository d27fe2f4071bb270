// Which of a summary's times a problem is judged by.
#pragma once

#include "analysis/summary/summary.hpp"

namespace sextant {

using TimeOf = const Interval& (*)(const Summary&);

inline const Interval& call_of(const Summary& s) { return s.call_time; }
inline const Interval& whole_of(const Summary& s) { return s.time_with_transfers(); }

}  // namespace sextant
