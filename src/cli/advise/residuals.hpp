// sextant advise --evaluate --residuals: shows which problems cause the loss of a selector, and what limits
// it.
#pragma once

#include <string>
#include <vector>

#include "predict/scores.hpp"

namespace sextant {

// A selector's answers in one split, for calls or end-to-end times.
struct JudgedSplit {
  std::string split, times;
  std::vector<predict::JudgedAnswer> judged;
};

// Prints the limits set by differences between runs, the costliest problems, confused options, errors and
// intervals by option, and crossovers. JSON instead lists every problem with a loss.
void print_residuals(const predict::DataSet& data, const std::vector<JudgedSplit>& splits, bool json);

}  // namespace sextant
