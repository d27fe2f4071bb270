// sextant compare --history: shows each case's time over many runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct HistoryRequest {
  std::vector<std::string> files;  // Each session is a run; in any order.
  Selection selection;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
  std::string data = "fresh";    // "fresh" or "seen"
  std::string format = "table";  // table, json, line.
  std::string output;            // A file; empty: standard output.
  bool all = false;
};

// Prints the history. Returns true if a case became slower at its last change, or is broken. Throws
// UserError.
bool print_history(const HistoryRequest& request);

}  // namespace sextant
