// What a case may cost, before anything was measured.
#pragma once

#include "record/case.hpp"

namespace sextant {

// How often a case is sampled: at least `min_samples` over about `case_seconds`; of a slow one fewer, but if
// `all` are asked for.
struct Sampled {
  int min_samples = 0;
  double case_seconds = 0;
  bool all = false;
};

// A rough guess in seconds, from the kernel's work and what machines of today do. The first case of a problem
// has its reference to compute.
double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem = true);

// Whether both are checked against the same reference, which is computed once for cases in a row.
bool same_reference(const Case& a, const Case& b);

}  // namespace sextant
