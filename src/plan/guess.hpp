// Estimates the duration of a case before any measurement.
#pragma once

#include "record/case.hpp"

namespace sextant {

// How many samples a case gets: at least `min_samples`, in about `case_seconds`. A slow case gets fewer
// samples, unless `all` is set.
struct Sampled {
  int min_samples = 0;
  double case_seconds = 0;
  bool all = false;
};

// Returns a rough estimate in seconds from the kernel's work and typical machine speeds. The first case of a
// problem includes the time to compute its reference.
double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem = true);

// Returns true if both cases are compared with the same reference result. Consecutive cases share it.
bool same_reference(const Case& a, const Case& b);

}  // namespace sextant
