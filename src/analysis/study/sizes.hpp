// How each variant of a kernel goes over N: the curves of a figure, one a variant, and who is ahead at every
// N.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// A variant at one N, by its best tuning there.
struct SizePoint {
  const Summary* summary = nullptr;  // null: not measured correctly at this N
  std::optional<double> flop_rate;   // FLOP as the kernel counts them, per second
  std::optional<double> item_rate;   // points, updates, elements per second
  std::optional<double> bandwidth;   // bytes that must move, per second
};

struct SizeLine {
  const StudyRow* row = nullptr;
  std::vector<SizePoint> points;     // in the order of SizeCurves::variants
  std::optional<std::size_t> ahead;  // the fastest by its work_time; asides are no winners
};

struct SizeCurves {
  std::vector<std::string> variants;  // in the order in which they were measured
  std::vector<SizeLine> lines;        // by N; those at which nothing was measured correctly are left out
};

SizeCurves size_curves(const StudyGroup& group);

}  // namespace sextant
