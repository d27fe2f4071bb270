// Explains which cases of a data set cannot train trees, and how to change that.
#pragma once

#include <string>
#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// Cases that cannot train trees, for one reason.
struct Untaught {
  std::string why;     // "of vm/2, a machine without ceilings"
  std::string remedy;  // one sentence
  std::size_t cases = 0;
};

// Cases of a data set that are in no training table, by reason.
std::vector<Untaught> untaught(const DataSet& data);

}  // namespace sextant::predict
