// Who leads at each problem of a kernel, and what may be claimed of it.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

struct Entrant {
  std::string name;                     // a column of the study; a variant where its rivals are variants
  const Summary* summary = nullptr;     // its fastest
  bool leads = false;                   // the fastest, or not known to be slower
  Decision decision = Decision::equal;  // of the fastest against it; of the fastest itself: equal
};

// One problem: its entrants by the time asked for (the call, or the whole pass with transfers), fastest
// first.
struct Standing {
  const StudyRow* row = nullptr;
  bool by_variant = false;           // one model alone was measured: its variants compete
  std::vector<Entrant> entrants;     // at least one
  std::vector<std::string> missing;  // leaders of the kernel's other sizes that were not measured here
  Interval lead;      // the time of the fastest that does not lead, over the fastest's own; 0 samples: none
  double apart = 1;   // of those that lead: the largest median over the smallest
  Interval over_cpu;  // of the fastest, over the best CPU version; 0 samples: not known

  const Summary& fastest() const { return *entrants.front().summary; }
  // Nothing is won without a rival.
  bool contested() const { return entrants.size() > 1; }
  bool tied() const;
  bool equal() const;  // tied, and those that lead are known to be equal
  // In the order of study_columns (variants: fastest first).
  std::vector<std::string> leaders() const;
};

// The sizes of a group at which something was measured, in its order.
std::vector<Standing> standings(const StudyGroup& group, bool with_transfers);

// "cuda"; "serial or openmp" where they are tied; "cuda alone" without a rival.
std::string text_of(const Standing& standing);

}  // namespace sextant
