// Ranks the competitors at each problem of a kernel and states which differences are certain.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

struct Entrant {
  std::string name;                  // a study column, or a variant if variants compete
  const Summary* summary = nullptr;  // the competitor's fastest measurement
  bool leads = false;                // true for the fastest, and for competitors not proven slower
  // Result of comparing the fastest competitor with this one. It is `equal` for the fastest itself.
  Decision decision = Decision::equal;
};

// The ranking at one problem, fastest first, by call time or (with transfers) by end-to-end time.
struct Standing {
  const StudyRow* row = nullptr;
  bool by_variant = false;        // true if only one model was measured; its variants then compete
  std::vector<Entrant> entrants;  // the competitors, fastest first; at least one
  // Competitors that lead at other sizes of the kernel but were not measured here.
  std::vector<std::string> missing;
  // time of the fastest competitor that does not lead, over the fastest time; 0 samples: all lead
  Interval lead;
  // Kind of time that decided between the fastest and its closest competitor: call, device or end-to-end.
  const char* by = "";
  double apart = 1;   // ratio of the largest median to the smallest one among the leaders
  Interval over_cpu;  // speed-up of the fastest over the best CPU version; 0 samples: unknown

  const Summary& fastest() const { return *entrants.front().summary; }
  // True if there are at least two competitors.
  bool contested() const { return entrants.size() > 1; }
  bool tied() const;
  bool equal() const;  // tied, and the leaders' times are proven equal within the margin
  // Names in the order of study_columns; competing variants are ordered by time.
  std::vector<std::string> leaders() const;
};

// Returns the ranking at each measured size of a group, in the group's order.
std::vector<Standing> standings(const StudyGroup& group, bool with_transfers);

// Result of the fastest competitor against all others: "faster", "equal" or "open" (undecided). Empty if
// there is only one competitor.
const char* outcome_of(const Standing& standing);

// Names the leaders: "cuda"; "serial or openmp" for a tie; "cuda alone" without a competitor.
std::string text_of(const Standing& standing);

}  // namespace sextant
