// `sextant compare --history`: each case's time over many runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct HistoryRequest {
  std::vector<std::string> files;  // each session is a run; in any order
  Selection selection;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
  std::string data = "fresh";    // or "seen"
  std::string format = "table";  // table, json, line
  std::string output;            // a file; empty: standard output
  bool all = false;
};

// Prints it. True if a case is slower since its last change, or broken. Throws UserError.
bool print_history(const HistoryRequest& request);

}  // namespace sextant
