// Ranks the competitors at each problem of a kernel and states which differences are certain.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

struct Entrant {
  std::string name;                     // a study column, or a variant if variants compete
  const Summary* summary = nullptr;     // the competitor's fastest measurement
  bool leads = false;                   // the fastest, or not proven slower
  Decision decision = Decision::equal;  // fastest against this competitor; equal for the fastest itself
};

// The ranking at one problem, fastest first, by call time or (with transfers) by end-to-end time.
struct Standing {
  const StudyRow* row = nullptr;
  bool by_variant = false;           // only one model was measured, so its variants compete
  std::vector<Entrant> entrants;     // at least one
  std::vector<std::string> missing;  // leaders at the kernel's other sizes that were not measured here
  Interval lead;                     // time of the fastest non-leader over the fastest time; 0 samples: none
  // The time that decided between the fastest and the closest of the others: call, device or end-to-end.
  const char* by = "";
  double apart = 1;   // largest median over smallest median among the leaders
  Interval over_cpu;  // speed-up of the fastest over the best CPU version; 0 samples: unknown

  const Summary& fastest() const { return *entrants.front().summary; }
  // True if there are at least two competitors.
  bool contested() const { return entrants.size() > 1; }
  bool tied() const;
  bool equal() const;  // tied, and the leaders are proven equal within the margin
  // In the order of study_columns; variants: fastest first.
  std::vector<std::string> leaders() const;
};

// The ranking at each size of a group that was measured, in the group's order.
std::vector<Standing> standings(const StudyGroup& group, bool with_transfers);

// "faster", "equal" or "open": the fastest against all others; empty without another.
const char* outcome_of(const Standing& standing);

// "cuda"; "serial or openmp" for a tie; "cuda alone" without a competitor.
std::string text_of(const Standing& standing);

}  // namespace sextant
