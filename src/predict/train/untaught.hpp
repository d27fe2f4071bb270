// Explains which cases of a data set cannot be used for training, and what the user can do about it.
#pragma once

#include <string>
#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// The cases that cannot be used for training for one reason.
struct Untaught {
  std::string why;     // the reason, such as "of vm/2, a machine without ceilings"
  std::string remedy;  // what the user can do about it, in one sentence
  std::size_t cases = 0;
};

// The cases of a data set that are not used for training, grouped by reason.
std::vector<Untaught> untaught(const DataSet& data);

}  // namespace sextant::predict
