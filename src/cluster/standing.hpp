// The progress of a sweep's parts, derived from their results files and never from the scheduler's queue.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"

namespace sextant::cluster {

struct Standing {
  std::size_t cases = 0;     // all cases of the part
  std::size_t measured = 0;  // with status ok
  std::size_t bad = 0;       // wrong, failed or timed out
  std::size_t skipped = 0;
  std::size_t missing = 0;  // not in the results file
  bool complete() const { return missing == 0; }
};

// Counts the states of `cases` in the part's `results`. In a session with several GPUs a case counts on
// whichever GPU it was measured.
Standing standing_of(const std::vector<Case>& cases, const Results& results);

// Returns the different processor and GPU names of the sessions, in their order: "two cores, one H200".
std::vector<std::string> kinds_of_machine(const Results& results);

}  // namespace sextant::cluster
