// sextant advise --evaluate --residuals: where what is lost is lost, and what stands against finding it.
#pragma once

#include <string>
#include <vector>

#include "predict/scores.hpp"

namespace sextant {

// What a selector said in a split of calls or wholes.
struct JudgedSplit {
  std::string split, times;
  std::vector<predict::JudgedAnswer> judged;
};

// Prints how much runs let be had, the problems that cost most, what was taken for what, errors and intervals
// by option, and crossovers; as JSON every problem at which something is lost.
void print_residuals(const predict::DataSet& data, const std::vector<JudgedSplit>& splits, bool json);

}  // namespace sextant
