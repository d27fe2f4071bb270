// sextant advise --evaluate --residuals: shows which problems cause the loss of a selector, and what limits
// it.
#pragma once

#include <string>
#include <vector>

#include "predict/scores.hpp"

namespace sextant {

// The answers of a selector in one split, for call times or for end-to-end times.
struct JudgedSplit {
  std::string split, times;
  std::vector<predict::JudgedAnswer> judged;
};

// Prints which problems cause losses. The output has the limits set by differences between runs, the
// costliest problems and the confused options. It also has the errors and intervals of each option, and the
// crossovers. JSON instead lists every problem with a loss.
void print_residuals(const predict::DataSet& data, const std::vector<JudgedSplit>& splits, bool json);

}  // namespace sextant
