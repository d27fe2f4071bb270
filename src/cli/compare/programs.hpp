// Implements sextant compare --programs and --loads. They measure two builds of Sextant, or two versions of
// the user's kernels, alternately.
#pragma once

#include <string>
#include <vector>

#include "own/description/asked.hpp"
#include "plan/selection.hpp"
#include "present/comparison.hpp"
#include "store/results_file.hpp"

namespace sextant {

struct ProgramsRequest {
  std::string programs, loads;  // Option values "OLD,NEW"; exactly one of the two is set.
  own::Asked asked;             // Options that apply to both loaded versions.
  Selection selection;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
  std::string budget, timeout, runs, results;  // Option values; empty means the default.
  bool quiet = false;
};

// The measurements of both sides and the report. The sides in the report point into `stored`.
struct ProgramsResult {
  Results stored[2];
  ComparisonReport report;
  bool interrupted = false;
};

// Measures both sides, stores each of them as a results file, and compares them. Throws UserError only before
// the first measurement.
void compare_programs(const ProgramsRequest& request, ProgramsResult* result);

}  // namespace sextant
