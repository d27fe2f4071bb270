// sextant compare --history: shows each case's time over many runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct HistoryRequest {
  std::vector<std::string> files;  // Results files in any order; each session in them is a run.
  Selection selection;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
  std::string data = "fresh";    // Call times to use: "fresh" or "seen".
  std::string format = "table";  // Output format: "table", "json" or "line".
  std::string output;            // Output file; empty for standard output.
  bool all = false;
};

// Prints the history. Returns true if a case became slower at its last change, or if it is broken. Throws
// UserError.
bool print_history(const HistoryRequest& request);

}  // namespace sextant
