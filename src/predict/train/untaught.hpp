// Explains which cases of a data set trees cannot be trained on, and how to change that.
#pragma once

#include <string>
#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// The cases that trees cannot be trained on for one reason.
struct Untaught {
  std::string why;     // the reason, such as "of vm/2, a machine without ceilings"
  std::string remedy;  // what the user can do about it, in one sentence
  std::size_t cases = 0;
};

// The cases of a data set that are in no training table, grouped by reason.
std::vector<Untaught> untaught(const DataSet& data);

}  // namespace sextant::predict
