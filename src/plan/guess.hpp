// Estimates the duration of a case before any measurement.
#pragma once

#include "record/case.hpp"

namespace sextant {

// How long a case is sampled: at least `min_samples` samples, for about `case_seconds`. A slow case gets
// fewer samples unless `all` is true. `stay_seconds` is a shorter limit for cases that are measured again in
// other processes (0: no limit).
struct Sampled {
  int min_samples = 0;
  double case_seconds = 0;
  bool all = false;
  double stay_seconds = 0;
};

// Returns the seconds that the samples of a slow case may take: six times case_seconds, or 24 times
// stay_seconds. A case gets two samples even if they take longer.
double most_slow_seconds(const Sampled& by);

// Returns a rough estimate in seconds, from the kernel's work and typical speeds of an idle machine. It
// includes the check of the result and the audits (checks with other inputs). `first_of_problem` adds the
// time to compute the reference results.
double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem = true);

// Returns a rough estimate in seconds of a single call.
double guess_call_seconds(const Case& what);

// Returns a rough estimate in seconds of one repeated measurement of a case in another process.
double guess_visit_seconds(const Case& what);

// Returns true if both cases are compared with the same reference result. Consecutive cases share it.
bool same_reference(const Case& a, const Case& b);

}  // namespace sextant
