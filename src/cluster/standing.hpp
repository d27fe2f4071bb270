// Counts the finished cases of each part of a sweep that runs on a cluster, from the results files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"
#include "record/results.hpp"

namespace sextant::cluster {

struct Standing {
  std::size_t cases = 0;     // number of cases of the part
  std::size_t measured = 0;  // cases with a correct result (status ok)
  std::size_t bad = 0;       // cases with a wrong result, a failure or a timeout
  std::size_t skipped = 0;
  std::size_t missing = 0;  // cases that the results file does not contain yet
  bool complete() const { return missing == 0; }
};

// Counts how many of `cases` are in `results`, by status. If a session used several GPUs, it does not matter
// which GPU measured a case.
Standing standing_of(const std::vector<Case>& cases, const Results& results);

// Returns the distinct processor and GPU names in the sessions, in order of first occurrence: "two cores, one
// H200".
std::vector<std::string> kinds_of_machine(const Results& results);

}  // namespace sextant::cluster
