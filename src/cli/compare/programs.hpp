// sextant compare --programs and --loads: two builds, or two versions of the user's own kernels, case by case
// in turns.
#pragma once

#include <string>
#include <vector>

#include "own/description/asked.hpp"
#include "plan/selection.hpp"
#include "present/comparison.hpp"
#include "store/results_file.hpp"

namespace sextant {

struct ProgramsRequest {
  std::string programs, loads;  // as given: OLD,NEW; one of the two
  own::Asked asked;             // of each load
  Selection selection;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
  std::string budget, timeout, runs, results;  // as given; empty: the default
  bool quiet = false;
};

// What the report's sides point into.
struct ProgramsResult {
  Results stored[2];
  ComparisonReport report;
  bool regression = false, interrupted = false;
};

// Measures, stores both sides as results files, and judges. Throws UserError before anything is measured.
void compare_programs(const ProgramsRequest& request, ProgramsResult* result);

}  // namespace sextant
