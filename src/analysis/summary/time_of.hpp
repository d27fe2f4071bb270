// Selects the kind of time by which the variants of a problem are compared.
#pragma once

#include "analysis/summary/summary.hpp"

namespace sextant {

using TimeOf = const Interval& (*)(const Summary&);

inline const Interval& call_of(const Summary& s) { return s.call_time; }
inline const Interval& whole_of(const Summary& s) { return s.time_with_transfers(); }

// Sets `*fastest` to `&s` if it is null or slower than `s`.
inline void keep_faster(const Summary& s, TimeOf time_of, const Summary** fastest) {
  if (!*fastest || time_of(s).median < time_of(**fastest).median) *fastest = &s;
}

// Compares two variants by end-to-end times or by call times. Only call times have visits (re-measurements in
// other processes).
inline Contest contest_of(const Summary& slow, const Summary& fast, bool with_transfers) {
  return with_transfers ? contest_of(whole_of(slow), whole_of(fast)) : contest_of_calls(slow, fast);
}

}  // namespace sextant
