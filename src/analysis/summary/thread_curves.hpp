// Collects the times of one variant at several thread counts, and the times of serial code at the same
// problem.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

struct ThreadCurve {
  const Summary* baseline = nullptr;     // serial.baseline, compiled with -O2; null: not measured
  const Summary* native = nullptr;       // serial.native; null: not measured
  std::map<int, const Summary*> points;  // by number of threads; at least two entries

  const Summary* one_thread() const { return points.begin()->first == 1 ? points.begin()->second : nullptr; }
  std::string title() const;  // such as "triad openmp.simd, float N = 7936"
};

// Curves in the order of `summaries`, which must outlive them.
std::vector<ThreadCurve> thread_curves(const std::vector<Summary>& summaries);

}  // namespace sextant
