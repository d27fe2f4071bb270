// What a data set that teaches nothing holds, and what would make it teach.
#pragma once

#include <string>
#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// Cases from which trees learn nothing, for one reason.
struct Untaught {
  std::string why;     // "of vm/2, a machine without ceilings"
  std::string remedy;  // a sentence
  std::size_t cases = 0;
};

// The cases of a data set that are in no training table, by reason.
std::vector<Untaught> untaught(const DataSet& data);

}  // namespace sextant::predict
