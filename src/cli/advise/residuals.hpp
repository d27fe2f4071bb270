// sextant advise --evaluate --residuals: shows which problems cause the loss of a selector, and what limits
// it.
#pragma once

#include <string>
#include <vector>

#include "predict/scores.hpp"

namespace sextant {

// The answers of a selector (a method of choosing) in one split of the data set, for call times or for
// end-to-end times.
struct JudgedSplit {
  std::string split, times;
  std::vector<predict::JudgedAnswer> judged;
};

// Prints which problems cause losses, which options are confused with each other, and the errors and
// intervals of each option. It also prints the crossovers, and how much of the loss is due to differences
// between runs. JSON instead lists every problem with a loss.
void print_residuals(const predict::DataSet& data, const std::vector<JudgedSplit>& splits, bool json);

}  // namespace sextant
