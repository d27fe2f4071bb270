// The rates of a kernel's variants over N, as curves of a figure, and the fastest variant at each N.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// A variant at one N, with its best tuning there.
struct SizePoint {
  const Summary* summary = nullptr;  // its fastest measurement; null: none is correct at this N
  std::optional<double> flop_rate;   // FLOP per second, from the kernel's own operation count
  std::optional<double> item_rate;   // points, updates or elements per second, as the kernel counts its items
  std::optional<double> bandwidth;   // required traffic in bytes per second
};

struct SizeLine {
  const StudyRow* row = nullptr;
  std::vector<SizePoint> points;  // in the order of SizeCurves::variants
  // Index in `points` of the variant with the smallest work_time. Variants excluded from ranking do not
  // count.
  std::optional<std::size_t> ahead;
};

struct SizeCurves {
  std::vector<std::string> variants;  // in the order of measurement
  std::vector<SizeLine> lines;        // one line for each N; sizes without a correct measurement are omitted
};

SizeCurves size_curves(const StudyGroup& group);

}  // namespace sextant
