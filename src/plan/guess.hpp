// Estimates the duration of a case before any measurement.
#pragma once

#include "record/case.hpp"

namespace sextant {

// How many samples a case gets: at least `min_samples`, in about `case_seconds`. A slow case gets fewer
// samples, unless `all` is set. `stay_seconds` ends sampling earlier, in cases that are measured again in
// other processes; 0: it does not.
struct Sampled {
  int min_samples = 0;
  double case_seconds = 0;
  bool all = false;
  double stay_seconds = 0;
};

// Returns a rough estimate in seconds from the kernel's work and typical speeds of an idle machine. It
// includes the check of the result and the audits, which are checks on other inputs. The first case of a
// problem includes the time to compute its references.
double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem = true);

// Returns a rough estimate in seconds of a single call.
double guess_call_seconds(const Case& what);

// Returns a rough estimate in seconds of a visit: one check and a few calls in another process, without
// audits.
double guess_visit_seconds(const Case& what);

// Returns true if both cases are compared with the same reference result. Consecutive cases share it.
bool same_reference(const Case& a, const Case& b);

}  // namespace sextant
