// sextant compare --programs and --loads: measures two builds, or two versions of the user's kernels, in
// alternating turns.
#pragma once

#include <string>
#include <vector>

#include "own/description/asked.hpp"
#include "plan/selection.hpp"
#include "present/comparison.hpp"
#include "store/results_file.hpp"

namespace sextant {

struct ProgramsRequest {
  std::string programs, loads;  // Unparsed: OLD,NEW; exactly one of the two is set.
  own::Asked asked;             // Options of each load.
  Selection selection;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
  std::string budget, timeout, runs, results;  // Unparsed; empty: the default.
  bool quiet = false;
};

// Measurements and report of both sides. The sides of the report point into `stored`.
struct ProgramsResult {
  Results stored[2];
  ComparisonReport report;
  bool regression = false, interrupted = false;
};

// Measures both sides, stores each as a results file and compares them. Throws UserError before any
// measurement.
void compare_programs(const ProgramsRequest& request, ProgramsResult* result);

}  // namespace sextant
