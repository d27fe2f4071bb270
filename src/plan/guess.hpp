// Estimates the cost of a case before any measurement.
#pragma once

#include "record/case.hpp"

namespace sextant {

// The number of samples of a case: at least `min_samples` in about `case_seconds`. A slow case gets fewer
// samples, unless `all` is set.
struct Sampled {
  int min_samples = 0;
  double case_seconds = 0;
  bool all = false;
};

// Returns a rough estimate in seconds from the kernel's work and typical machine speeds. The first case of a
// problem includes the time of its reference.
double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem = true);

// Returns true if both cases have the same reference. Consecutive cases share one computed reference.
bool same_reference(const Case& a, const Case& b);

}  // namespace sextant
